import { expect, test } from 'vitest'
import {
  judgeConversion,
  UNAVAILABLE_REASONS,
  type ConversionFacts,
} from '../../../../relayer/account/deposit-review/judge-review.ts'

const CONVERTIBLE: ConversionFacts = {
  isSpam: false,
  isSending: true,
  pool: { minDeposit: 10n, maxDeposit: 100n },
  available: 50n,
  locked: 5n,
  deposited: 45n,
}

/** In the order of the checks: lasting reasons come before passing ones. */
const CASES: [reason: (typeof UNAVAILABLE_REASONS)[number], change: Partial<ConversionFacts>][] = [
  ['likely_spam', { isSpam: true }],
  ['sending_not_offered', { isSending: false }],
  ['no_pool', { pool: null }],
  ['pool_refreshing', { pool: 'refreshing' }],
  ['locked', { available: 0n, deposited: 0n }],
  ['below_minimum', { available: 9n, deposited: 0n }],
  ['fees_exceed_amount', { deposited: 9n }],
  ['above_maximum', { available: 200n, deposited: 101n }],
]

test.each(CASES)('%s is why an asset cannot be converted', (reason, change) => {
  expect(judgeConversion({ ...CONVERTIBLE, ...change })).toBe(reason)
})

test('every reason has its case, and nothing else prevents a conversion', () => {
  expect(CASES.map(([reason]) => reason).toSorted()).toEqual([...UNAVAILABLE_REASONS].toSorted())
  expect(judgeConversion(CONVERTIBLE)).toBeNull()
  expect(judgeConversion({ ...CONVERTIBLE, available: 10n, deposited: 10n })).toBeNull()
  expect(judgeConversion({ ...CONVERTIBLE, available: 120n, deposited: 100n })).toBeNull()
})

test('of several reasons the answer gives the one that lasts longest', () => {
  for (const [place, [reason, change]] of CASES.entries()) {
    if (place === 0) continue
    const [earlier, alsoChanged] = CASES[place - 1]!
    expect(judgeConversion({ ...CONVERTIBLE, ...change, ...alsoChanged }), reason).toBe(earlier)
  }
})

test('nothing is left to convert where the pool has no minimum, and unknown costs prevent none', () => {
  const free = { ...CONVERTIBLE, pool: { minDeposit: 0n, maxDeposit: 100n } }
  expect(judgeConversion({ ...free, available: 0n, locked: 0n, deposited: 0n })).toBe('below_minimum')
  expect(judgeConversion({ ...free, available: 1n, deposited: 0n })).toBe('fees_exceed_amount')
  expect(judgeConversion({ ...CONVERTIBLE, available: 10n, deposited: null })).toBeNull()
  expect(judgeConversion({ ...CONVERTIBLE, available: 101n, deposited: null })).toBe('above_maximum')
})
