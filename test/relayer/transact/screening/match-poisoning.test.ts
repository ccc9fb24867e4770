import fc from 'fast-check'
import type { Address } from 'viem'
import { describe, expect, it } from 'vitest'
import { matchPoisoning } from '../../../../relayer/transact/screening/match-poisoning.ts'

const HEX = '0123456789abcdef'.split('')
const digits = (length: number) =>
  fc.array(fc.constantFrom(...HEX), { minLength: length, maxLength: length }).map((list) => list.join(''))
const address = digits(40).map((text): Address => `0x${text}`)
const thresholds = { minPrefix: 3, minSuffix: 3, minTotal: 9 }
/** Every known address counts as imitated. */
const ANY_DIGITS = { minPrefix: 0, minSuffix: 0, minTotal: 0 }
const other = (digit: string) => (digit === '0' ? '1' : '0')

interface Imitation {
  original: Address
  fake: Address
  prefix: number
  suffix: number
}

/** An address that shares exactly this many leading and trailing digits with another. */
const imitation = fc
  .record({ original: address, prefix: fc.nat(39), suffix: fc.nat(39), filling: digits(40) })
  .filter(({ prefix, suffix }) => prefix + suffix <= 39)
  .map(({ original, prefix, suffix, filling }): Imitation => {
    const text = original.slice(2).split('')
    const made = text.map((digit, index) => {
      const isKept = index < prefix || index >= 40 - suffix
      const isEdge = index === prefix || index === 39 - suffix
      return isKept ? digit : isEdge ? other(digit) : (filling[index] ?? '0')
    })
    return { original, fake: `0x${made.join('')}`, prefix, suffix }
  })

describe('imitated addresses', () => {
  it('are found by the digits of both ends in any case', () => {
    fc.assert(
      fc.property(imitation, ({ original, fake, prefix, suffix }) => {
        const shouted = fake.replace(/[a-f]/g, (digit) => digit.toUpperCase()) as Address
        const counted = { matchedPrefixCharsCount: prefix, matchedSuffixCharsCount: suffix }
        for (const [address, known] of [
          [original, fake],
          [shouted, original],
        ] as const)
          expect(matchPoisoning(address, [{ address: known }], ANY_DIGITS)).toMatchObject(counted)
      }),
    )
  })

  it('match exactly at the thresholds', () => {
    fc.assert(
      fc.property(
        imitation,
        fc.nat(6),
        fc.nat(6),
        fc.integer({ min: 1, max: 39 }),
        (made, minPrefix, minSuffix, minTotal) => {
          const { original, fake, prefix, suffix } = made
          const match = matchPoisoning(fake, [{ address: original }], { minPrefix, minSuffix, minTotal })
          const expected = (prefix >= minPrefix && suffix >= minSuffix) || prefix + suffix >= minTotal
          expect(match).toEqual(
            expected
              ? {
                  known: { address: original },
                  matchedPrefixCharsCount: prefix,
                  matchedSuffixCharsCount: suffix,
                }
              : null,
          )
        },
      ),
    )
  })

  it('are not reported when the address itself is known', () => {
    fc.assert(
      fc.property(imitation, fc.array(address, { maxLength: 5 }), ({ original, fake }, more) => {
        const known = [original, ...more, fake.toUpperCase().replace('0X', '0x') as Address]
        expect(
          matchPoisoning(
            fake,
            known.map((item) => ({ address: item })),
            thresholds,
          ),
        ).toBe(null)
      }),
    )
  })

  it('are matched with the address that they resemble most', () => {
    fc.assert(
      fc.property(imitation, fc.array(address, { maxLength: 20 }), ({ original, fake }, more) => {
        const known = [...more, original].map((item) => ({ address: item }))
        const countDigits = (among: typeof known) => {
          const match = matchPoisoning(fake, among, ANY_DIGITS)
          return match && match.matchedPrefixCharsCount + match.matchedSuffixCharsCount
        }
        const totals = known.map((item) => countDigits([item]) ?? 0)
        expect(countDigits(known)).toBe(Math.max(...totals))
      }),
    )
  })

  it('carry the known data of the original', () => {
    const known = {
      address: '0xabc0000000000000000000000000000000000def',
      source: 'contact',
      name: 'Bob',
    } as const
    expect(matchPoisoning('0xabc1111111111111111111111111111111111def', [known])).toEqual({
      known,
      matchedPrefixCharsCount: 3,
      matchedSuffixCharsCount: 3,
    })
    expect(matchPoisoning('0xabc1111111111111111111111111111111111aef', [known])).toBe(null)
    expect(matchPoisoning(known.address, [])).toBe(null)
  })
})
