import fc from 'fast-check'
import { expect, it } from 'vitest'
import { judgePrice, type Side } from '../../../../../relayer/transact/kinds/swap/judge-price.ts'
import {
  lossBpsOf,
  minimumOf,
  priceImpactBpsOf,
  recommendedSlippageBps,
} from '../../../../../relayer/transact/kinds/swap/slippage.ts'

const PRICE = { quoted: 10_000n, delivered: 10_000n, atSpot: 10_000n, twapGapBps: 0 }
const side = (amount: bigint, usd: bigint | null): Side => ({
  token: { decimals: 0 },
  amount,
  usd: usd === null ? null : usd * 10n ** 30n,
})
const UNPRICED = { given: side(10_000n, null), got: side(10_000n, null) }
const LEFT_OPEN = { requestedSlippageBps: null, acknowledgedPriceImpact: null }

it.each([
  ['nothing moves', PRICE, false, 20],
  ['nothing is known of the average', { ...PRICE, twapGapBps: null }, false, 70],
  ['the spot price left its average', { ...PRICE, twapGapBps: 45 }, false, 65],
  ['the amount moves the price by 4 %', { ...PRICE, quoted: 9_600n, delivered: 9_600n }, false, 120],
  ['the token keeps 3 %', { ...PRICE, delivered: 9_700n }, false, 300],
  ['everything moves', { ...PRICE, delivered: 9_000n, twapGapBps: 400 }, false, 300],
  ['both are dollars and nothing moves', PRICE, true, 20],
  ['both are dollars and the average is unknown', { ...PRICE, twapGapBps: null }, true, 30],
] as const)('where %s, the recommended slippage is within its limits', (_, price, bothDollars, bps) => {
  expect(recommendedSlippageBps(price, bothDollars)).toBe(bps)
})

it('the minimum never exceeds the expectation, and falls with the slippage', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 2n ** 128n }),
      fc.integer({ min: 0, max: 4_999 }),
      (expected, bps) => {
        const minimum = minimumOf(expected, bps)
        expect(minimum <= expected).toBe(true)
        expect(minimumOf(expected, bps + 1) <= minimum).toBe(true)
        expect(minimum * 10_000n <= expected * BigInt(10_000 - bps)).toBe(true)
        expect((minimum + 1n) * 10_000n > expected * BigInt(10_000 - bps)).toBe(true)
      },
    ),
  )
})

it('loss and price impact are within a basis point of the fraction, and never below zero', () => {
  const amount = fc.bigInt({ min: 1n, max: 2n ** 112n })
  fc.assert(
    fc.property(amount, amount, (quoted, other) => {
      const loss = BigInt(lossBpsOf({ quoted, delivered: other }))
      expect(loss >= 0n && loss * quoted >= (quoted - other) * 10_000n).toBe(true)
      expect(other >= quoted ? loss === 0n : (loss - 1n) * quoted < (quoted - other) * 10_000n).toBe(true)
      const impact = BigInt(priceImpactBpsOf({ quoted, atSpot: other }) ?? -1)
      expect(impact >= 0n && impact <= 10_000n).toBe(true)
    }),
  )
  expect(priceImpactBpsOf({ quoted: 1n, atSpot: null })).toBeNull()
})

it('a custom slippage stands as it was asked for, unless the swap is sure to lose more', () => {
  expect(judgePrice(PRICE, UNPRICED, { ...LEFT_OPEN, requestedSlippageBps: 0 })).toMatchObject({
    slippageBps: 0,
    minimum: 10_000n,
  })
  const moved = { ...PRICE, twapGapBps: 80 }
  expect(() => judgePrice(moved, UNPRICED, { ...LEFT_OPEN, requestedSlippageBps: 79 })).toThrow(
    expect.objectContaining({ details: { requestedSlippageBps: 79, recommendedSlippageBps: 100 } }) as Error,
  )
  expect(judgePrice(moved, UNPRICED, { ...LEFT_OPEN, requestedSlippageBps: 80 }).minimum).toBe(9_920n)
  expect(() => judgePrice(PRICE, UNPRICED, { ...LEFT_OPEN, requestedSlippageBps: 5_001 })).toThrow(
    expect.objectContaining({ code: 'SLIPPAGE_TOO_HIGH' }) as Error,
  )
})

it.each([
  ['by the spot price', { ...PRICE, quoted: 8_499n, delivered: 8_499n }, UNPRICED, 15.01],
  ['by the prices in dollars', PRICE, { given: side(10_000n, 1n), got: side(7_000n, 1n) }, 30],
] as const)('an impact above 15 percent %s needs the very number', (_, price, sides, priceImpact) => {
  const judge = (acknowledgedPriceImpact: number | null) =>
    judgePrice(price, sides, { requestedSlippageBps: null, acknowledgedPriceImpact })
  for (const acknowledged of [null, 15, priceImpact - 0.01])
    expect(() => judge(acknowledged)).toThrow(
      expect.objectContaining({ code: 'PRICE_IMPACT_TOO_HIGH', details: { priceImpact } }) as Error,
    )
  expect(judge(priceImpact).expected).toBe(price.delivered)
})
