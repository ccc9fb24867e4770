import { expect, test } from 'vitest'
import { quoteAtTick } from '../../../../relayer/market/prices/read-twap.ts'

test('tick 0 is one to one in both directions', () => {
  expect(quoteAtTick(0, true)).toBe(10n ** 18n)
  expect(quoteAtTick(0, false)).toBe(10n ** 18n)
})

test('the quote follows 1.0001^tick to twelve digits', () => {
  for (const tick of [1, -1, 10, -887, 23_027, -23_027, 100_000, -100_000]) {
    for (const tokenIsToken0 of [true, false]) {
      const expected = 1.0001 ** (tokenIsToken0 ? -tick : tick)
      const got = Number(quoteAtTick(tick, tokenIsToken0)) / 1e18
      if (got > 1e-4) expect(got / expected).toBeCloseTo(1, 11)
    }
  }
})

test('a dollar token of six decimals is quoted right at 3,000 per coin', () => {
  // token1 = token, token0 = wrapped native: price = 3000e6 / 1e18, tick = log(3e-9) / log(1.0001)
  const tick = Math.floor(Math.log(3_000e6 / 1e18) / Math.log(1.0001))
  expect(Number(quoteAtTick(tick, false)) / 3_000e6).toBeCloseTo(1, 3)
  expect(Number(quoteAtTick(-tick - 1, true)) / 3_000e6).toBeCloseTo(1, 3)
})

test('a tick that no pool can have is refused', () => {
  expect(() => quoteAtTick(887_273, true)).toThrow(RangeError)
  expect(() => quoteAtTick(0.5, true)).toThrow(RangeError)
})
