import { expect, test } from 'vitest'
import { findProofAlarms } from '../../../gateway/compose/watch-alarms.ts'
import { CrossCheck } from '../../../proving/cross-check.ts'
import type { ProvingStats, VerifyOutcome } from '../../../proving/proving-pool.ts'
import { loadProofs, type ProofVector } from '../../proving/groth16/load-proofs.ts'

const [proof] = loadProofs('withdraw') as [ProofVector]

test('an alarm stands once the two verifiers gave different verdicts about a proof', async () => {
  let second: VerifyOutcome = { valid: true }
  const logger = { warn: () => {}, error: () => {} }
  const check = new CrossCheck({ oneIn: 1, verifyAgain: async () => second, logger })
  const find = () => findProofAlarms({ stats: () => ({ crossChecks: check.totals }) as ProvingStats })
  await check.confirm('withdraw', proof, { valid: true })
  expect(find()).toEqual([])
  second = { valid: false, reason: 'equation' }
  await check.confirm('withdraw', proof, { valid: true })
  second = { valid: true }
  await check.confirm('withdraw', proof, { valid: true })
  expect(find()).toEqual([
    { code: 'VERIFIERS_DISAGREE', chainId: null, subject: null, detail: '1 proofs, see the log' },
  ])
})
