import { SIZE, type Curve } from './curve.ts'
import { computeOnce, SHARED_HEADER_BYTES } from './compute-once.ts'
import type { Pairing } from './pairing.ts'
import { parseG1 } from './parse-point.ts'
import type { Circuit } from '../proving-pool.ts'
import commitment from './keys/commitment.json' with { type: 'json' }
import withdraw from './keys/withdraw.json' with { type: 'json' }

/** A Groth16 verification key as snarkjs writes it, without the unused members. */
export interface VerificationKey {
  protocol: string
  curve: string
  nPublic: number
  vk_alpha_1: readonly string[]
  vk_beta_2: readonly (readonly string[])[]
  vk_gamma_2: readonly (readonly string[])[]
  vk_delta_2: readonly (readonly string[])[]
  /** One point more than there are public signals; the first has no signal. */
  IC: readonly (readonly string[])[]
}

/** A verification key with all precomputed values that do not depend on a proof. */
export interface PreparedKey {
  signalCount: number
  /** Affine point IC[0]. */
  constant: number
  /** Tables of IC[0], IC[1], … */
  inputs: readonly FixedBase[]
  alpha: FixedBase
  preparedBeta: number
  preparedGamma: number
  preparedDelta: number
  /** Miller value of (α, β). */
  alphaBeta: number
}

/** Bytes of the buffer by which threads share the tables of a key. */
export const sharedBytesOf = ({ IC }: VerificationKey): number =>
  SHARED_HEADER_BYTES + (IC.length + 1) * TABLE_BYTES

/**
 * Checks and prepares a key.
 *
 * @param shared Lets the threads that prepare this key share its tables; `sharedBytesOf(key)` bytes, zeros at first.
 * @throws Error when one of its points is not on the curve or not in the subgroup.
 */
export function prepareKey(pairing: Pairing, key: VerificationKey, shared?: SharedArrayBuffer): PreparedKey {
  const { curve } = pairing
  if (key.protocol !== 'groth16' || key.curve !== 'bn128') throw new Error('not a Groth16 key on bn128')
  if (key.IC.length !== key.nPublic + 1) throw new Error('the key has a wrong number of IC points')

  const readG1 = (coordinates: readonly string[]): number => {
    const point = curve.memory.allocate(SIZE.g1Affine)
    const refusal = parseG1(curve, point, coordinates)
    if (refusal) throw new Error(`a G1 point of the key is refused: ${refusal}`)
    return point
  }
  const readG2 = (coordinates: readonly (readonly string[])[]): number => {
    const point = curve.memory.allocate(SIZE.g2Jacobian)
    const prepared = curve.memory.allocate(SIZE.preparedG2)
    const refusal = pairing.parseAndPrepareG2(point, prepared, coordinates)
    if (refusal) throw new Error(`a G2 point of the key is refused: ${refusal}`)
    return prepared
  }

  const alpha = readG1(key.vk_alpha_1)
  const inputs = key.IC.map(readG1)
  const points = [...inputs, alpha]
  const tables = curve.memory.allocate(points.length * TABLE_BYTES)
  computeOnce(
    shared ?? null,
    () => curve.memory.view(tables, points.length * TABLE_BYTES),
    () => points.forEach((point, index) => tabulate(curve, point, tables + index * TABLE_BYTES)),
  )
  const bases = points.map((_, index) => createFixedBase(curve, tables + index * TABLE_BYTES))
  const preparedBeta = readG2(key.vk_beta_2)
  const alphaBeta = curve.memory.allocate(SIZE.fq12)
  pairing.multiplyMiller([{ g1: alpha, preparedG2: preparedBeta }], alphaBeta)
  return {
    signalCount: key.nPublic,
    constant: inputs[0] as number,
    inputs: bases.slice(0, -1),
    alpha: bases.at(-1) as FixedBase,
    preparedBeta,
    preparedGamma: readG2(key.vk_gamma_2),
    preparedDelta: readG2(key.vk_delta_2),
    alphaBeta,
  }
}

/** Scalars are cut into 32 windows of one byte. */
const WINDOWS = 32
const WINDOW_SIZE = 256
const WINDOW_BYTES = WINDOW_SIZE * SIZE.g1Affine

/** Multiplies a point of G1 known beforehand by any scalar with at most 32 additions and no doubling. */
interface FixedBase {
  /** Adds scalar·point to the Jacobian point at `sum`; 0 ≤ scalar < r. */
  addMultiple(scalar: bigint, sum: number): void
}

/** Bytes of the table of one point. */
const TABLE_BYTES = WINDOWS * WINDOW_BYTES

/** Multiplies the point that was tabulated at `table`. */
function createFixedBase({ run, memory }: Curve, table: number): FixedBase {
  const digits = memory.allocate(SIZE.fq)

  return {
    addMultiple(scalar, sum) {
      memory.writeInteger(digits, scalar)
      for (let window = 0; window < WINDOWS; window++) {
        const digit = memory.readByte(digits + window)
        if (digit !== 0) run.g1m_addMixed(sum, table + window * WINDOW_BYTES + digit * SIZE.g1Affine, sum)
      }
    },
  }
}

/** Writes d·2^(8i)·P for every byte d and window i to `table`: 512 KiB and about 20 ms for each point. */
function tabulate({ run, memory }: Curve, pointAffine: number, table: number): void {
  const base = memory.allocate(SIZE.g1Jacobian)
  const baseAffine = memory.allocate(SIZE.g1Affine)
  const multiples = memory.allocate(WINDOW_SIZE * SIZE.g1Jacobian)
  run.g1m_toJacobian(pointAffine, base)
  for (let window = 0; window < WINDOWS; window++) {
    run.g1m_toAffine(base, baseAffine)
    run.g1m_zero(multiples)
    for (let digit = 1; digit < WINDOW_SIZE; digit++) {
      const previous = multiples + (digit - 1) * SIZE.g1Jacobian
      run.g1m_addMixed(previous, baseAffine, previous + SIZE.g1Jacobian)
    }
    run.g1m_batchToAffine(multiples, WINDOW_SIZE, table + window * WINDOW_BYTES)
    for (let bit = 0; bit < 8; bit++) run.g1m_double(base, base)
  }
}

/** The verification keys of the circuits, from which the pools' verifier contracts were generated. */
export const CIRCUIT_KEYS: Readonly<Record<Circuit, VerificationKey>> = { withdraw, commitment }
