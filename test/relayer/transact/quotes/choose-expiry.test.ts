import { describe, expect, it } from 'vitest'
import { chooseExpiry } from '../../../../relayer/transact/quotes/price-quote.ts'

const now = Date.parse('2030-01-01T10:07:33.250Z')
const config = { graceSeconds: 600, volatileLifeSeconds: 300 }
const inSeconds = (seconds: number) => new Date(now + seconds * 1_000)
const at = (text: string) => BigInt(Date.parse(`2030-01-${text}Z`) / 1_000)

describe('intents end', () => {
  it('at a full hour that all accounts share, after the quote and its grace', () => {
    const expiry = chooseExpiry({ isVolatile: false }, config, { now, expiresAt: inSeconds(86_400) })
    expect(expiry).toBe(at('02T11:00:00'))
    // A quote of another moment and length ends with it.
    const other = { now: now + 900_000, expiresAt: inSeconds(86_100) }
    expect(chooseExpiry({ isVolatile: false }, config, other)).toBe(expiry)
  })

  it.each(['10:00:00', '10:00:01', '10:49:00', '10:51:00', '10:54:59', '10:59:59'])(
    'within the 25 hours that a wallet with a slow clock accepts, asked for at %s',
    (time) => {
      const asked = Date.parse(`2030-01-01T${time}Z`)
      const wallet = asked / 1_000 - 299
      for (const graceSeconds of [60, 600, 86_400]) {
        const times = { now: asked, expiresAt: new Date(asked + 86_400_000) }
        const expiry = chooseExpiry({ isVolatile: false }, { ...config, graceSeconds }, times)
        expect(Number(expiry) - wallet).toBeLessThanOrEqual(25 * 3_600)
        expect(Number(expiry) - asked / 1_000).toBeGreaterThanOrEqual(24 * 3_600 - 300)
      }
    },
  )

  it.each([{ isVolatile: true }, { isVolatile: false, isShortLived: true as const }])(
    'within minutes at a shared moment if the signed funds are worth something else later: %j',
    (plan) => {
      const ends = (seconds: number) => chooseExpiry(plan, config, { now, expiresAt: inSeconds(seconds) })
      expect(ends(86_400)).toBe(at('01T10:15:00'))
      expect(ends(60)).toBe(at('01T10:15:00'))
    },
  )

  it('before their calls would be refused', () => {
    const executeBefore = Math.floor(now / 1_000) + 61
    const plan = { isVolatile: true, executeBefore }
    expect(chooseExpiry(plan, config, { now, expiresAt: inSeconds(86_400) })).toBe(BigInt(executeBefore))
  })
})
