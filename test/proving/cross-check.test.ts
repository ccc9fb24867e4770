import { expect, test } from 'vitest'
import { CrossCheck } from '../../proving/cross-check.ts'
import type { VerifyOutcome } from '../../proving/proving-pool.ts'
import { loadProofs, type ProofVector } from './groth16/load-proofs.ts'

const [proof] = loadProofs('withdraw') as [ProofVector]
const WRONG: VerifyOutcome = { valid: false, reason: 'equation' }

/** A cross-check whose second verifier gives an outcome, and the entries of its log. */
function open(oneIn: number, second: () => Promise<VerifyOutcome>) {
  const entries: [string, string, object][] = []
  const log = (level: string) => (context: object, message: string) =>
    void entries.push([level, message, context])
  const check = new CrossCheck({
    oneIn,
    verifyAgain: second,
    logger: { warn: log('warn'), error: log('error') },
  })
  return { check, entries }
}

test('if the verifiers disagree, snarkjs decides, and the log has an alarm without the proof', async () => {
  const { check, entries } = open(1, () => Promise.resolve(WRONG))
  expect(await check.confirm('withdraw', proof, { valid: true })).toEqual(WRONG)
  expect(check.totals).toEqual({ agreed: 0, disagreed: 1, failed: 0 })
  expect(entries).toEqual([
    [
      'error',
      'the fast verifier and snarkjs disagree about a proof',
      { circuit: 'withdraw', fast: { valid: true }, snarkjs: WRONG },
    ],
  ])
  const other = open(1, () => Promise.resolve({ valid: true }))
  expect(await other.check.confirm('withdraw', proof, WRONG)).toEqual({ valid: true })
})

test('if snarkjs gives no outcome, that of the fast verifier is used', async () => {
  const { check, entries } = open(1, () => Promise.reject(new Error('no thread')))
  expect(await check.confirm('withdraw', proof, WRONG)).toEqual(WRONG)
  expect(check.totals).toEqual({ agreed: 0, disagreed: 0, failed: 1 })
  expect(entries).toMatchObject([['warn', 'a proof could not be verified by snarkjs as well', {}]])
})

test('about one proof in the given number is verified again, and none with 0', async () => {
  let count = 0
  const second = () => {
    count += 1
    return Promise.resolve<VerifyOutcome>({ valid: true })
  }
  const { check } = open(10, second)
  for (let index = 0; index < 2_000; index += 1) await check.confirm('withdraw', proof, { valid: true })
  // Outside by chance once in 10^12 runs.
  expect(count).toBeGreaterThan(100)
  expect(count).toBeLessThan(300)
  expect(check.totals.agreed).toBe(count)
  const none = open(0, second)
  for (let index = 0; index < 100; index += 1) await none.check.confirm('withdraw', proof, { valid: true })
  expect(none.check.totals.agreed).toBe(0)
})
