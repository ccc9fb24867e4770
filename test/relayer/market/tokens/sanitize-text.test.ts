import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sanitizeText } from '../../../../relayer/market/tokens/sanitize-text.ts'

describe('sanitizeText', () => {
  it.each([
    ['USD Coin', 'USD Coin', false],
    ['Tether\u202eDSU', 'TetherDSU', true],
    ['U\u200bS\u200dD\ufeffT', 'USDT', true],
    ['\u2066USDC\u2069', 'USDC', true],
    ['A\u0000B', 'AB', true],
    ['USDC\u0000\u0000\u0000', 'USDC', false],
    ['line\none\ttwo', 'line one two', false],
    ['  a \u00a0\u3000 b  ', 'a b', false],
    ['\ufffdA\ufffd', 'A', true],
    ['\u3164\u115f\u2800', '', true],
    ['日本円', '日本円', false],
    ['🦄 Unicorn', '🦄 Unicorn', false],
    ['e\u0301', 'é', false],
    ['<script>', '<script>', false],
  ])('%j is shown as %j', (raw, text, wasHidden) => {
    expect(sanitizeText(raw, 64)).toEqual({ text, wasHidden })
  })

  it('keeps at most two marks on a letter', () => {
    expect(sanitizeText(`Z${'\u0336'.repeat(500)}algo`, 64).text).toBe('Z\u0336\u0336algo')
  })

  it('cuts by code points, not through one', () => {
    expect(sanitizeText('🦄'.repeat(40), 32).text).toBe('🦄'.repeat(32))
  })

  it('gives one short line of visible characters for any input, and does not change its own output', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (raw) => {
        const { text } = sanitizeText(raw, 32)
        expect(Array.from(text).length).toBeLessThanOrEqual(32)
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\0]/u)
        expect(sanitizeText(text, 32)).toEqual({ text, wasHidden: false })
      }),
      { numRuns: 200 },
    )
  })
})
