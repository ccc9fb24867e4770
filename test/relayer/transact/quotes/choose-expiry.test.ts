import { describe, expect, it } from 'vitest'
import { chooseExpiry } from '../../../../relayer/transact/quotes/choose-expiry.ts'

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

  it.each([{ isVolatile: true }, { isVolatile: false, isShortLived: true as const }])(
    'within minutes at a shared moment where what is signed is worth something else later: %j',
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
