import { randomBytes, randomInt } from 'node:crypto'
import { buildBn128 } from 'ffjavascript'
import { expect } from 'vitest'
import { instantiateCurve } from '../../proving/groth16/curve.ts'
import { BASE_FIELD_ORDER as q } from '../../proving/groth16/field-order.ts'
import { createGroth16Verifier } from '../../proving/groth16/groth16-verifier.ts'
import { createSnarkjsVerifier } from '../../proving/groth16/snarkjs-verifier.ts'
import type { Circuit } from '../../proving/proving-pool.ts'
import { KINDS, makeRandomProofs } from './random-proof-case.ts'
import { CIRCUIT_KEYS } from '../../proving/groth16/verification-key.ts'

const LIMB = 1n << 51n
/** Limbs at which carries and roundings change. */
const HOSTILE_LIMBS = [0n, 1n, LIMB - 1n, LIMB - 2n, LIMB >> 1n, (LIMB >> 1n) - 1n, (LIMB >> 1n) + 1n]
const HOSTILE = [0n, 1n, 2n, q - 1n, q - 2n, q >> 1n, (q >> 1n) + 1n, (1n << 253n) - 1n, 1n << 253n]

const drawLimb = () =>
  randomInt(3) > 0
    ? (HOSTILE_LIMBS[randomInt(HOSTILE_LIMBS.length)] as bigint)
    : BigInt(`0x${randomBytes(8).toString('hex')}`) % LIMB

/** A number below q: without a pattern, of hostile limbs, or an edge of the field. */
function drawElement(): bigint {
  const kind = randomInt(8)
  if (kind === 0) return HOSTILE[randomInt(HOSTILE.length)] as bigint
  if (kind < 3) return BigInt(`0x${randomBytes(40).toString('hex')}`) % q
  return [0n, 1n, 2n, 3n, 4n].reduce((value, place) => value + (drawLimb() << (51n * place)), 0n) % q
}

function writeBytes(values: readonly bigint[]): Uint8Array {
  const words = values.flatMap((value) =>
    [0n, 64n, 128n, 192n].map((bits) => BigInt.asUintN(64, value >> bits)),
  )
  return new Uint8Array(BigUint64Array.from(words).buffer)
}

/** Compares the five replaced functions with ffjavascript on random and hostile operands. */
export async function fieldDifferentialStory(count: number): Promise<void> {
  const { F1, F2 } = await buildBn128(true)
  const { run, memory } = await instantiateCurve()
  // No caller of its own: the module calls it inside.
  const { f2m_square } = run as unknown as Record<'f2m_square', (from: number, to: number) => void>
  const [left, right, result] = [0, 1, 2].map(() => memory.allocate(64)) as [number, number, number]
  const part = (bytes: Uint8Array, index: number) => bytes.subarray(32 * index, 32 * index + 32)

  for (let round = 0; round < count; round += 1) {
    const a = writeBytes([drawElement(), drawElement()])
    const b = writeBytes([drawElement(), drawElement()])
    const cases = [
      ['f1m_mul', F1.mul(part(a, 0), part(b, 0)), () => run.f1m_mul(left, right, result)],
      ['f1m_square', F1.square(part(a, 0)), () => run.f1m_square(left, result)],
      ['f2m_mul', F2.mul(a, b), () => run.f2m_mul(left, right, result)],
      ['f2m_square', F2.square(a), () => f2m_square(left, result)],
      [
        'f2m_mul1',
        Buffer.concat([F1.mul(part(a, 0), part(b, 0)), F1.mul(part(a, 1), part(b, 0))]),
        () => run.f2m_mul1(left, right, result),
      ],
    ] as const
    memory.view(left, 64).set(a)
    memory.view(right, 64).set(b)
    for (const [name, expected, calculate] of cases) {
      calculate()
      const found = memory.view(result, expected.length)
      if (Buffer.compare(found, expected) !== 0)
        expect.fail(`${name}: ${Buffer.from(a).toString('hex')} ${Buffer.from(b).toString('hex')}`)
    }
  }
}

/** Most proofs of a batch. */
const MAX_BATCH = 20

/** Compares outcome and reason of both verifiers on random and hostile proofs, alone and in batches. */
export async function proofDifferentialStory(circuit: Circuit, count: number): Promise<void> {
  const fast = await createGroth16Verifier(CIRCUIT_KEYS, MAX_BATCH)
  const slow = await createSnarkjsVerifier(CIRCUIT_KEYS)
  let accepted = 0
  let batch: Parameters<typeof fast.verify>[1][number][] = []
  let expected: unknown[] = []

  for (const { kind, vector } of makeRandomProofs(circuit, count)) {
    const alone = fast.verify(circuit, [vector])
    const outcome = await slow.verify(circuit, [vector])
    // The message contains the whole case, because it is random and will not occur again.
    expect(alone, `${kind}: ${JSON.stringify(vector)}`).toEqual(outcome)
    accepted += Number(outcome[0]?.valid)
    batch.push(vector)
    expected.push(outcome[0])
    if (batch.length < MAX_BATCH) continue
    expect(fast.verify(circuit, batch), JSON.stringify(batch)).toEqual(expected)
    batch = []
    expected = []
  }
  expect(accepted).toBeGreaterThanOrEqual(Math.floor(count / KINDS) * 2)
  expect(accepted).toBeLessThan(count / 5)
}
