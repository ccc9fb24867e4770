import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forClient, forEverybody } from '../../../relayer/shares/client.ts'
import { createSharedBudget, type BudgetTerms } from '../../../relayer/shares/shared-budget.ts'

const WINDOW_MS = 60_000
const TERMS: BudgetTerms = { whole: 900, windowMs: WINDOW_MS, least: 5, reserve: 800 }

const open = (terms: Partial<BudgetTerms> = {}) => {
  const clock = { now: 0 }
  const budget = createSharedBudget({ ...TERMS, ...terms }, () => clock.now)
  const draw = (network: string, account: string | null, units: number) =>
    forClient({ network, account }, () => budget.draw(units))
  const drawAll = (network: string, account: string | null, units = 1) => {
    let drawn = 0
    while (draw(network, account, units)) drawn += units
    return drawn
  }
  return { clock, budget, draw, drawAll }
}

const clients = fc.record({
  network: fc.nat(5).map((name) => `network ${name}`),
  account: fc.option(
    fc.nat(5).map((name) => `account ${name}`),
    { nil: null },
  ),
})

test('no window sees more than the whole and three times the reserve, whatever the order of draws', () => {
  const steps = fc.array(
    fc.record({ client: clients, units: fc.integer({ min: 1, max: 200 }), wait: fc.nat(9_000) }),
    {
      minLength: 50,
      maxLength: 400,
    },
  )
  fc.assert(
    fc.property(steps, fc.constantFrom(0, 800), (all, reserve) => {
      const { clock, draw } = open({ reserve })
      const drawn: { at: number; units: number }[] = []
      for (const { client, units, wait } of all) {
        clock.now += wait
        if (draw(client.network, client.account, units)) drawn.push({ at: clock.now, units })
      }
      for (const { at } of drawn) {
        const inWindow = drawn.filter((one) => one.at >= at && one.at < at + WINDOW_MS)
        expect(inWindow.reduce((sum, { units }) => sum + units, 0)).toBeLessThanOrEqual(
          900 + 3 * reserve + 1e-6,
        )
      }
    }),
    { numRuns: 200 },
  )
})

test.each([
  ['one account', 1, 1],
  ['a hundred accounts of one network', 1, 100],
  ['a hundred accounts of as many networks', 100, 1],
])('%s that draw all they can leave every newcomer its guaranteed part', (_, networks, accounts) => {
  const { clock, draw } = open()
  for (let second = 0; second < 300; second += 1) {
    clock.now += 1_000
    for (let network = 0; network < networks; network += 1)
      for (let account = 0; account < accounts; account += 1)
        while (draw(`greedy ${network}`, `greedy ${account}`, 1));
    if (second % 10 === 0) expect(draw(`network ${second}`, 'newcomer', 5)).toBe(true)
  }
})

test('a newcomer finds room however many draw, also without a guaranteed part', () => {
  const { clock, draw, drawAll } = open({ least: 0, reserve: 0 })
  for (let second = 0; second < 120; second += 1) {
    clock.now += 1_000
    for (let network = 0; network < 20; network += 1) while (draw(`greedy ${network}`, null, 1));
  }
  // 300 at once, of which 20 greedy ones have two forty-firsts each.
  expect(drawAll('newcomer', 'honest')).toBeGreaterThanOrEqual(4)
})

test('clients that draw alike get alike, by network and within one by account', () => {
  const { clock, draw } = open({ least: 0, reserve: 0 })
  const got = new Map<string, number>()
  const members = [
    ['a', 'one'],
    ['a', 'two'],
    ['b', 'three'],
    ['c', 'four'],
  ] as const
  for (let second = 0; second < 1_200; second += 1) {
    clock.now += 1_000
    // The first to ask has an advantage; here everybody has it in turn.
    const from = second % members.length
    for (const [network, account] of [...members.slice(from), ...members.slice(0, from)])
      while (draw(network, account, 1)) got.set(account, (got.get(account) ?? 0) + 1)
  }
  const of = (account: string) => got.get(account) ?? 0
  for (const ratio of [of('one') / of('two'), of('three') / of('four')]) {
    expect(ratio).toBeGreaterThan(0.8)
    expect(ratio).toBeLessThan(1.25)
  }
  // However many accounts a network has, it gets no more than half as much again as one account that is alone in its own.
  const more = (of('one') + of('two')) / of('three')
  expect(more).toBeGreaterThan(1)
  expect(more).toBeLessThan(1.6)
  // Nothing of it is left unused that need not be: three networks have six sevenths.
  expect([...got.values()].reduce((sum, one) => sum + one, 0)).toBeGreaterThan(0.8 * 0.7 * 600 * 20)
})

test('an account that is alone gets four ninths at once, and draws on while its draws are forgotten', () => {
  const { clock, drawAll } = open({ least: 0, reserve: 0 })
  expect(drawAll('home', 'alone')).toBe(133)
  clock.now += WINDOW_MS
  expect(drawAll('home', 'alone')).toBe(115)
  clock.now += 100 * WINDOW_MS
  expect(drawAll('home', 'alone')).toBe(133)
})

test('accounts of one network are guaranteed four times the least together', () => {
  const { drawAll, clock, draw } = open({ whole: 1e-9 })
  clock.now += 1
  const drawn = Array.from({ length: 10 }, (_, account) => drawAll('one', `${account}`, 5))
  expect(drawn).toEqual([5, 5, 5, 5, 0, 0, 0, 0, 0, 0])
  expect(draw('other', 'first', 5)).toBe(true)
})

test('work beyond its draw counts, and the service itself may draw the free rest', () => {
  const { budget, draw } = open()
  forClient({ network: 'one', account: 'long' }, () => budget.charge(300))
  expect(draw('one', 'long', 1)).toBe(false)
  expect(draw('other', 'first', 5)).toBe(true)
  expect(forEverybody(() => budget.draw(1))).toBe(false)
  const fresh = open()
  expect(forEverybody(() => fresh.budget.draw(300))).toBe(true)
  expect(forEverybody(() => fresh.budget.draw(1))).toBe(false)
})
