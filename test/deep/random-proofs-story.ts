import { randomInt } from 'node:crypto'
import { expect } from 'vitest'
import { createGroth16Verifier } from '../../proving/groth16/groth16-verifier.ts'
import type { Circuit } from '../../proving/proving-pool.ts'
import { KINDS, makeProofCases, type ProofCase } from './random-proof-case.ts'
import { CIRCUIT_KEYS } from '../../proving/groth16/verification-key.ts'

const MAX_BATCH = 20

/**
 * Verifies the given number of random cases alone and in batches of random size, and compares the results with
 * @noble/curves.
 */
export async function randomProofsStory(circuit: Circuit, count: number): Promise<void> {
  const verifier = await createGroth16Verifier(CIRCUIT_KEYS, MAX_BATCH)
  const accepted = { alone: 0, expected: 0 }
  let batch: ProofCase[] = []
  let size = randomInt(2, MAX_BATCH + 1)
  const judge = (cases: readonly ProofCase[]) =>
    verifier
      .verify(
        circuit,
        cases.map(({ vector }) => vector),
      )
      .map(({ valid }) => valid)

  for (const one of makeProofCases(circuit, count)) {
    const [valid] = judge([one])
    // The message contains the whole case, because it is random and will not occur again.
    if (valid !== one.valid) expect.fail(`${one.kind}: ${valid} alone, ${JSON.stringify(one.vector)}`)
    accepted.alone += Number(valid)
    accepted.expected += Number(one.valid)
    batch.push(one)
    if (batch.length < size) continue
    const judged = judge(batch)
    const wrong = batch.filter((item, index) => item.valid !== judged[index])
    if (wrong.length > 0) expect.fail(`in a batch of ${size}: ${JSON.stringify(wrong)}`)
    batch = []
    size = randomInt(2, MAX_BATCH + 1)
  }
  expect(accepted.alone).toBe(accepted.expected)
  // Unchanged proofs and (−A, −B) are valid; every other case is changed.
  expect(accepted.alone).toBeGreaterThanOrEqual(Math.floor(count / KINDS) * 2)
  expect(accepted.alone).toBeLessThan(count / 5)
}
