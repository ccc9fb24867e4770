import type { EVMBN254Interface } from '@ethereumjs/evm'
import { SIZE, type CurveFunctions } from '../../groth16/curve.ts'
import type { PairingInput } from '../../groth16/miller-loop.ts'
import { createPairing } from '../../groth16/pairing.ts'
import { parseG1 } from '../../groth16/parse-point.ts'

/** Functions of the curve module that only the precompiles need. */
interface PrecompileFunctions extends CurveFunctions {
  f1m_fromMontgomery: (from: number, to: number) => void
  g1m_timesScalar: (point: number, scalar: number, scalarBytes: number, to: number) => void
}

const WORD = 32
const PAIR = 6 * WORD
/** Pairs whose Miller loops share their squarings; more pairs are computed in turns. */
const CHUNK = 8

/** An input that the precompile refuses: the call fails and uses all its gas. */
class BadInputError extends Error {}

function readWords(input: Uint8Array, count: number): bigint[] {
  const bytes = Buffer.alloc(count * WORD) // missing bytes count as zeros
  bytes.set(input.subarray(0, bytes.length))
  return Array.from({ length: count }, (_, index) =>
    BigInt(`0x${bytes.toString('hex', index * WORD, (index + 1) * WORD)}`),
  )
}

const isZero = (words: readonly bigint[]) => words.every((word) => word === 0n)

/** Precompiles 6, 7 and 8 (EIP-196, EIP-197) on the module that verifies proofs: 5 times as fast as in JavaScript. */
export async function createBn254(): Promise<EVMBN254Interface> {
  const { curve, parseAndPrepareG2, multiplyMiller, isProductOne } = await createPairing()
  const { memory } = curve
  const run = curve.run as PrecompileFunctions
  const [left, right, sum] = [SIZE.g1Jacobian, SIZE.g1Jacobian, SIZE.g1Jacobian].map((size) =>
    memory.allocate(size),
  )
  const affine = memory.allocate(SIZE.g1Affine)
  const scalar = memory.allocate(WORD)
  const product = memory.allocate(SIZE.fq12)
  const accumulated = memory.allocate(SIZE.fq12)
  const g2 = memory.allocate(SIZE.g2Jacobian)
  const slots = Array.from({ length: CHUNK }, (): PairingInput => ({
    g1: memory.allocate(SIZE.g1Affine),
    preparedG2: memory.allocate(SIZE.preparedG2),
  }))
  if (left === undefined || right === undefined || sum === undefined) throw new RangeError('unreachable')

  /** Writes a point as affine coordinates; (0, 0) is infinity. */
  function loadAffine(address: number, x: bigint, y: bigint): void {
    if (parseG1(curve, address, [`${x}`, `${y}`, '1']) !== null) throw new BadInputError('not a point of G1')
  }

  function loadJacobian(address: number, x: bigint, y: bigint): void {
    if (x === 0n && y === 0n) return run.g1m_zero(address)
    loadAffine(affine, x, y)
    run.g1m_toJacobian(affine, address)
  }

  function writePoint(jacobian: number): Uint8Array {
    run.g1m_toAffine(jacobian, affine)
    const output = new Uint8Array(2 * WORD)
    for (const [offset, coordinate] of [affine, affine + SIZE.fq].entries()) {
      run.f1m_fromMontgomery(coordinate, coordinate)
      for (let byte = 0; byte < WORD; byte++) {
        output[(offset + 1) * WORD - 1 - byte] = memory.readByte(coordinate + byte)
      }
    }
    return output
  }

  function loadPair(words: readonly bigint[], slot: PairingInput): boolean {
    const [x = 0n, y = 0n, xImaginary, xReal, yImaginary, yReal] = words
    const isG1Infinite = isZero([x, y])
    if (!isG1Infinite) loadAffine(slot.g1, x, y)
    const isG2Infinite = isZero(words.slice(2))
    if (!isG2Infinite) {
      const point = [
        [`${xReal}`, `${xImaginary}`],
        [`${yReal}`, `${yImaginary}`],
        ['1', '0'],
      ]
      if (parseAndPrepareG2(g2, slot.preparedG2, point) !== null) throw new BadInputError('not a point of G2')
    }
    return !isG1Infinite && !isG2Infinite
  }

  return {
    add(input) {
      const [x1 = 0n, y1 = 0n, x2 = 0n, y2 = 0n] = readWords(input, 4)
      loadJacobian(left, x1, y1)
      loadJacobian(right, x2, y2)
      run.g1m_add(left, right, sum)
      return writePoint(sum)
    },
    mul(input) {
      const [x = 0n, y = 0n, factor = 0n] = readWords(input, 3)
      loadJacobian(left, x, y)
      memory.writeInteger(scalar, factor)
      run.g1m_timesScalar(left, scalar, WORD, sum)
      return writePoint(sum)
    },
    pairing(input) {
      const output = new Uint8Array(WORD)
      run.ftm_one(accumulated)
      let pairs: PairingInput[] = []
      for (let start = 0; start < input.length; start += PAIR) {
        const slot = slots[pairs.length]
        if (slot && loadPair(readWords(input.subarray(start, start + PAIR), 6), slot)) pairs.push(slot)
        if (pairs.length === CHUNK) {
          multiplyMiller(pairs, product)
          run.ftm_mul(accumulated, product, accumulated)
          pairs = []
        }
      }
      output[WORD - 1] = isProductOne(pairs, accumulated) ? 1 : 0
      return output
    },
  }
}
