import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createBudgetAlarm } from '../../../../relayer/chain/unpaid-gas/gas-budget.ts'
import {
  hasRoom,
  limitsOf,
  mostLost,
  NO_GAS,
  partUsed,
  secondsUntilRoom,
} from '../../../../relayer/chain/unpaid-gas/budget-rules.ts'
import type { GasShare } from '../../../../db/chain/unpaid-gas/gas-budget.ts'
import { judgeReverts } from '../../../../relayer/pool/relay/revert-memory.ts'

const BUDGET = 10_000_000n

type Losses = Parameters<typeof hasRoom>[1]
const loss = (
  share: GasShare,
  gas: bigint,
  of: { isOwn?: boolean; isOfNetwork?: boolean; contracts?: string[] } = {},
) => ({
  share,
  gas,
  isOwn: false,
  isOfNetwork: false,
  contracts: [],
  ...of,
})
const fits = (share: GasShare, gas: bigint, losses: Losses, contracts: string[] = []) =>
  hasRoom({ share, gas, contracts }, losses, BUDGET)

it.each(['', 'plain_'] as const)(
  'of each budget relays have half, new accounts half, all sends three quarters (%s)',
  (name) => {
    const whole = name === '' ? BUDGET : 3n * BUDGET
    const of = (share: 'relay' | 'new' | 'proven'): GasShare => `${name}${share}`
    expect(fits(of('relay'), whole / 2n, [])).toBe(true)
    expect(fits(of('relay'), whole / 2n + 1n, [])).toBe(false)
    expect(fits(of('new'), whole / 4n, [loss(of('new'), whole / 4n)])).toBe(true)
    expect(fits(of('new'), whole / 4n + 1n, [loss(of('new'), whole / 4n)])).toBe(false)
    // Whatever new accounts lose, a quarter stays for others.
    expect(fits(of('proven'), whole / 4n, [loss(of('new'), whole / 2n)])).toBe(true)
    expect(fits(of('proven'), whole / 4n + 1n, [loss(of('new'), whole / 2n)])).toBe(false)
    expect(fits(of('relay'), whole / 4n, [loss(of('new'), whole / 2n), loss(of('proven'), whole / 4n)])).toBe(
      true,
    )
    expect(fits(of('proven'), 1n, [loss(of('relay'), whole / 2n), loss(of('new'), whole / 2n)])).toBe(false)
    expect(partUsed({ ...NO_GAS, [of('new')]: whole / 4n }, BUDGET)).toBe(50)
  },
)

it('losses by code of strangers leave the rest untouched, and the reverse', () => {
  expect(fits('plain_new', (3n * BUDGET) / 2n, [loss('new', BUDGET / 2n), loss('proven', BUDGET / 2n)])).toBe(
    true,
  )
  expect(fits('new', BUDGET / 2n, [loss('plain_new', 3n * BUDGET)])).toBe(true)
})

it('an account that failed has a sixteenth of each budget, and a contract that failed an eighth', () => {
  const own = (gas: bigint) => [loss('new', gas, { isOwn: true })]
  expect(fits('new', BUDGET / 2n, [])).toBe(true)
  expect(fits('new', BUDGET / 16n - 100n, own(100n))).toBe(true)
  expect(fits('new', BUDGET / 16n, own(100n))).toBe(false)
  expect(fits('new', BUDGET / 16n, [loss('new', 100n)])).toBe(true)
  expect(fits('plain_new', BUDGET / 16n, own(BUDGET / 16n))).toBe(true)
  const at = [loss('new', 100n, { contracts: ['0x0a', '0x0b'] })]
  expect(fits('new', BUDGET / 8n - 100n, at, ['0x0b'])).toBe(true)
  expect(fits('new', BUDGET / 8n, at, ['0x0b'])).toBe(false)
  expect(fits('new', BUDGET / 8n, at, ['0x0c'])).toBe(true)
})

it('new accounts of a network that failed have a quarter of the room that other networks leave, proven ones are free of it', () => {
  const pot = BUDGET / 2n
  const own = (gas: bigint) => loss('new', gas, { isOfNetwork: true })
  expect(fits('new', pot / 4n - 100n, [own(100n)])).toBe(true)
  expect(fits('new', pot / 4n, [own(100n)])).toBe(false)
  expect(fits('new', pot / 8n - 100n, [own(100n), loss('new', pot / 2n)])).toBe(true)
  expect(fits('new', pot / 8n, [own(100n), loss('new', pot / 2n)])).toBe(false)
  expect(fits('proven', pot / 2n, [own(100n)])).toBe(true)
  expect(fits('plain_new', pot, [own(pot / 4n)])).toBe(true)
})

it('a budget of zero runs no strangers’ code, and still pays plain addresses', () => {
  for (const share of ['relay', 'new', 'proven'] as const)
    expect(hasRoom({ share, gas: 1n, contracts: [] }, [], 0n)).toBe(false)
  expect(
    hasRoom({ share: 'plain_new', gas: 600_000n, contracts: [] }, [loss('plain_new', 600_000n)], 0n),
  ).toBe(true)
})

it('the most that a chain loses in an hour is the sum of both budgets', () => {
  const { shares } = limitsOf(BUDGET)
  const wholes = shares.filter(({ of }) => of.length === 3).map(({ most }) => most)
  expect(shares.every(({ of }) => wholes.length === 2 && new Set(of).size === of.length)).toBe(true)
  expect(wholes.reduce((sum, one) => sum + one, 0n)).toBe(mostLost(BUDGET))
  expect(mostLost(BUDGET)).toBe(4n * BUDGET)
})

it('a refusal says when enough losses will be an hour old', () => {
  const losses = [
    { ...loss('new', 100_000n), endsInSeconds: 5 },
    { ...loss('relay', 300_000n), endsInSeconds: 60 },
    { ...loss('relay', 4_600_000n), endsInSeconds: 600 },
  ]
  const wait = (gas: bigint) => secondsUntilRoom({ share: 'relay', gas, contracts: [] }, losses, BUDGET)
  expect(wait(400_000n)).toBe(60)
  expect(wait(600_000n)).toBe(600)
  expect(wait(6_000_000n)).toBe(null)
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
