import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createBudgetAlarm } from '../../../../relayer/chain/unpaid-gas/budget-alarm.ts'
import {
  excessOf,
  NO_GAS,
  partUsed,
  secondsUntilRoom,
} from '../../../../relayer/chain/unpaid-gas/budget-rules.ts'
import { judgeReverts } from '../../../../relayer/pool/relay/judge-reverts.ts'

const BUDGET = 10_000_000n

it('relays may use half of the budget, new accounts a quarter, all sends three quarters', () => {
  const fits = (share: Parameters<typeof excessOf>[0], used: Partial<typeof NO_GAS>, gas: bigint) =>
    excessOf(share, { ...NO_GAS, ...used }, gas, BUDGET) === 0n
  expect(fits('relay', {}, 5_000_000n)).toBe(true)
  expect(fits('relay', {}, 5_000_001n)).toBe(false)
  expect(fits('new', { relay: 5_000_000n }, 2_500_000n)).toBe(true)
  expect(fits('new', { new: 2_000_000n }, 500_001n)).toBe(false)
  expect(fits('proven', { relay: 5_000_000n, new: 2_500_000n }, 2_500_000n)).toBe(true)
  expect(fits('proven', { relay: 5_000_000n, new: 2_500_000n }, 2_500_001n)).toBe(false)
  expect(fits('relay', { proven: 10_000_000n }, 1n)).toBe(false)
  // Losses by contracts in sends alone do not block relays.
  expect(fits('proven', {}, 7_500_000n)).toBe(true)
  expect(fits('proven', {}, 7_500_001n)).toBe(false)
  expect(fits('proven', { new: 2_500_000n }, 5_000_001n)).toBe(false)
  expect(fits('relay', { new: 2_500_000n, proven: 5_000_000n }, 2_500_000n)).toBe(true)
  expect(fits('plain', { relay: 5_000_000n, plain: 34_000_000n }, 1_000_000n)).toBe(true)
  expect(fits('plain', { relay: 5_000_000n, plain: 34_000_000n }, 1_000_001n)).toBe(false)
  expect(fits('new', { plain: 40_000_000n }, 1n)).toBe(false)
  expect(partUsed({ ...NO_GAS, new: 1_250_000n }, BUDGET)).toBe(50)
})

it('a budget of zero serves no contract, and a loss at a plain address blocks no payment to others', () => {
  const excess = (share: Parameters<typeof excessOf>[0], plain: bigint) =>
    excessOf(share, { ...NO_GAS, plain }, 600_000n, 0n)
  for (const share of ['relay', 'new', 'proven'] as const) expect(excess(share, 0n)).toBe(600_000n)
  expect(excess('plain', 600_000n)).toBe(0n)
  expect(excess('plain', 40_000_000n)).toBe(600_000n)
})

it('a refusal says when enough losses will be an hour old', () => {
  const used = { ...NO_GAS, relay: 4_900_000n }
  const losses = [
    { share: 'new', gas: 100_000n, endsInSeconds: 5 },
    { share: 'relay', gas: 300_000n, endsInSeconds: 60 },
    { share: 'relay', gas: 600_000n, endsInSeconds: 600 },
  ] as const
  expect(secondsUntilRoom('relay', { used, gas: 400_000n, budget: BUDGET }, losses)).toBe(60)
  expect(secondsUntilRoom('relay', { used, gas: 600_000n, budget: BUDGET }, losses)).toBe(600)
  expect(secondsUntilRoom('relay', { used, gas: 2_000_000n, budget: BUDGET }, losses)).toBe(null)
})

it('the operator is warned once at half of a limit and once at a refusal, and again after it is over', () => {
  const lines: string[] = []
  let now = 0
  const alarm = createBudgetAlarm(
    pino(
      { base: null },
      { write: (line) => lines.push((JSON.parse(line) as { level: number }).level.toString()) },
    ),
    () => now,
  )
  const look = (percent: number) => alarm.look(1, { lost: NO_GAS, atRisk: NO_GAS, budget: BUDGET, percent })
  for (const percent of [10, 49, 60, 70, 100, 100, 20, 100, 60]) look(percent)
  expect(lines).toEqual(['40', '50'])
  now += 700_000
  for (const percent of [10, 55]) look(percent)
  expect(lines).toEqual(['40', '50', '40'])
})

it('waits double with each failure up to six hours, and one account cannot block another', () => {
  const none = {
    pairFailures: 0,
    pairAge: 0,
    noteRecipients: 0,
    noteFailures: 0,
    noteAge: 0,
    recipientNotes: 0,
    recipientFailures: 0,
    recipientAge: 0,
  }
  const wait = (facts: Partial<typeof none>) => judgeReverts({ ...none, ...facts }, 3)
  expect([1, 2, 3, 4].map((pairFailures) => wait({ pairFailures })?.seconds)).toEqual([60, 120, 240, 480])
  expect(wait({ pairFailures: 40 })?.seconds).toBe(21_600)
  expect(wait({ pairFailures: 1, pairAge: 60 })).toBe(null)
  expect(wait({ noteRecipients: 1, noteFailures: 5 })).toBe(null)
  expect(wait({ noteRecipients: 2, noteFailures: 2 })).toEqual({ of: 'note', seconds: 120 })
  expect(wait({ recipientNotes: 2, recipientFailures: 50 })).toBe(null)
  expect(wait({ recipientNotes: 3, recipientFailures: 3 })).toEqual({ of: 'recipient', seconds: 60 })
  expect(wait({ recipientNotes: 3, recipientFailures: 5 })).toEqual({ of: 'recipient', seconds: 240 })
})
