import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leastTrusted, type ReceivedToken } from '../../../../relayer/account/provenance/trusted-receive.ts'
import { parseUsd, valueInUsd } from '../../../../relayer/market/prices/usd.ts'

const listed = { spam: false, visibility: 'listed', decimals: 6 } as const
const unlisted = { ...listed, visibility: 'unlisted' } as const
const dollar = { usd: parseUsd('1') }
const received = (more: Partial<ReceivedToken>): ReceivedToken => ({
  token: listed,
  price: dollar,
  isWatched: false,
  ...more,
})

describe('a trusted receive', () => {
  it('is worth a cent or more', () => {
    expect(leastTrusted(received({}))).toBe(10_000n)
    expect(leastTrusted(received({ token: unlisted }))).toBe(10_000n)
  })

  it('is one of a listed or watched token where the token has no price', () => {
    expect(leastTrusted(received({ price: null }))).toBe(1n)
    expect(leastTrusted(received({ price: null, token: unlisted, isWatched: true }))).toBe(1n)
    expect(leastTrusted(received({ price: null, token: unlisted }))).toBeNull()
  })

  it('is neither nothing, nor spam, nor an asset that no contract describes, at any price', () => {
    const precious = { usd: parseUsd('100000') }
    expect(leastTrusted(received({ price: precious }))).toBe(1n)
    for (const token of [null, { ...listed, spam: true }, { ...unlisted, visibility: 'hidden' as const }])
      for (const isWatched of [false, true])
        expect(leastTrusted(received({ token, price: precious, isWatched }))).toBeNull()
  })

  it('is bounded by the least amount that is worth a cent, at any price and with any number of decimals', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 24 }), fc.bigInt(1n, 10n ** 40n), (decimals, usd) => {
        const least = leastTrusted(received({ token: { ...listed, decimals }, price: { usd } })) ?? 0n
        expect(valueInUsd(least, decimals, { usd })).toBeGreaterThanOrEqual(parseUsd('0.01'))
        if (least > 1n) expect(valueInUsd(least - 1n, decimals, { usd })).toBeLessThan(parseUsd('0.01'))
      }),
    )
  })
})
