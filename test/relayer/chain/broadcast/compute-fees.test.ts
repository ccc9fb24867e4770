import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bumpFees,
  computeFees,
  meetsMarket,
  raiseToMinimum,
  type Fees,
} from '../../../../relayer/chain/broadcast/compute-fees.ts'

const wei = fc.bigInt({ min: 0n, max: 10n ** 13n })
const market = fc.record({ baseFee: wei, tip: wei })

test('fees are twice the base fee and the tip', () => {
  expect(computeFees({ baseFee: 10n, tip: 3n }, 1_000n)).toEqual({
    maxFeePerGas: 23n,
    maxPriorityFeePerGas: 3n,
  })
  expect(computeFees({ baseFee: 10n, tip: 30n }, 20n)).toEqual({
    maxFeePerGas: 20n,
    maxPriorityFeePerGas: 20n,
  })
})

test('fees never exceed the cap, and the tip never exceeds the fee', () => {
  fc.assert(
    fc.property(market, wei, (now, cap) => {
      const fees = computeFees(now, cap)
      expect(fees.maxFeePerGas <= cap && fees.maxPriorityFeePerGas <= fees.maxFeePerGas).toBe(true)
    }),
  )
})

test('a bump raises both fees by at least the percentage, or there is none', () => {
  fc.assert(
    fc.property(market, market, wei, (then, now, cap) => {
      const previous = computeFees(then, cap)
      const next = bumpFees(previous, now, { bumpPercent: 12.5, maxGasPrice: cap })
      if (!next) return
      expect(next.maxFeePerGas * 1_000n >= previous.maxFeePerGas * 1_125n).toBe(true)
      expect(next.maxPriorityFeePerGas * 1_000n >= previous.maxPriorityFeePerGas * 1_125n).toBe(true)
      expect(next.maxFeePerGas > previous.maxFeePerGas).toBe(true)
      expect(next.maxFeePerGas <= cap && next.maxPriorityFeePerGas <= next.maxFeePerGas).toBe(true)
    }),
  )
})

test('a bump follows a market that rose by more, up to the cap', () => {
  const previous = { maxFeePerGas: 100n, maxPriorityFeePerGas: 10n }
  const rules = { bumpPercent: 12.5, maxGasPrice: 1_000n }
  expect(bumpFees(previous, { baseFee: 300n, tip: 20n }, rules)).toEqual({
    maxFeePerGas: 620n,
    maxPriorityFeePerGas: 20n,
  })
  expect(bumpFees(previous, { baseFee: 3_000n, tip: 20n }, rules)?.maxFeePerGas).toBe(1_000n)
  expect(bumpFees({ ...previous, maxFeePerGas: 900n }, { baseFee: 1n, tip: 1n }, rules)).toBeNull()
})

test('a fee meets the market when it pays the base fee and the tip that it offers', () => {
  const fees = { maxFeePerGas: 100n, maxPriorityFeePerGas: 5n }
  expect(meetsMarket(fees, { baseFee: 95n, tip: 50n })).toBe(true)
  expect(meetsMarket(fees, { baseFee: 96n, tip: 50n })).toBe(false)
})

const terms = { bumpPercent: 0, maxGasPrice: 100n }
const now = { baseFee: 10n, tip: 1n }
const before = { maxFeePerGas: 21n, maxPriorityFeePerGas: 1n }

test('a price below a stated minimum rises to it, and nothing rises above the cap', () => {
  const tip = (wei: bigint) => raiseToMinimum(before, now, { ...terms, minimum: { of: 'tip', wei } })
  expect(tip(25n)).toEqual({ maxFeePerGas: 45n, maxPriorityFeePerGas: 25n })
  expect(tip(90n)).toEqual({ maxFeePerGas: 100n, maxPriorityFeePerGas: 90n })
  expect(tip(101n)).toBeNull()
  const price = (wei: bigint) => raiseToMinimum(before, now, { ...terms, minimum: { of: 'price', wei } })
  expect(price(40n)).toEqual({ maxFeePerGas: 50n, maxPriorityFeePerGas: 30n })
  expect(price(101n)).toBeNull()
})

test('a price below an unstated minimum doubles up to the cap, and then has no new form', () => {
  let fees: Fees | null = before
  const tips: bigint[] = []
  for (let round = 0; round < 20 && fees; round += 1) {
    tips.push(fees.maxPriorityFeePerGas)
    expect(fees.maxFeePerGas).toBeLessThanOrEqual(100n)
    fees = raiseToMinimum(fees, now, { ...terms, minimum: null })
  }
  expect(tips).toEqual([1n, 2n, 4n, 8n, 16n, 32n, 64n, 100n])
})

test('a minimum that was met already is no reason: the price doubles', () => {
  const minimum = { of: 'tip', wei: 1n } as const
  expect(raiseToMinimum(before, now, { ...terms, minimum })).toEqual({
    maxFeePerGas: 42n,
    maxPriorityFeePerGas: 2n,
  })
})

test('both fees also rise by the bump while a node may hold an earlier form', () => {
  const minimum = { of: 'tip', wei: 25n } as const
  expect(
    raiseToMinimum({ maxFeePerGas: 80n, maxPriorityFeePerGas: 1n }, now, {
      minimum,
      bumpPercent: 12.5,
      maxGasPrice: 100n,
    }),
  ).toEqual({ maxFeePerGas: 90n, maxPriorityFeePerGas: 25n })
  expect(
    raiseToMinimum({ maxFeePerGas: 95n, maxPriorityFeePerGas: 1n }, now, {
      minimum,
      bumpPercent: 12.5,
      maxGasPrice: 100n,
    }),
  ).toBeNull()
})
