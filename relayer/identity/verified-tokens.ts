import { hash } from 'node:crypto'
import { SharedPlaces } from '../shares/shared-places.ts'
import type { TokenClaims } from './tokens.ts'

/** Tokens that are remembered. */
const KEPT = 10_000

/** A token whose signature was good, and what that depends on. */
interface VerifiedToken {
  claims: TokenClaims
  /** The key that signed it; a key that is gone vouches for nothing. */
  keyId: string
  /** Seconds since the epoch. */
  expiresAt: number
}

/** Tokens that were verified lately. A client sends the same one with every request, and checking a signature takes half a millisecond. */
export interface VerifiedTokens {
  /** What the token says, unless it has expired meanwhile or is not remembered. */
  find(token: string): VerifiedToken | null
  add(token: string, verified: VerifiedToken): void
}

/**
 * Creates the memory. It holds digests, so that a dump of it gives no token away.
 * @param now Milliseconds since the epoch.
 */
export function createVerifiedTokens(now: () => number = Date.now): VerifiedTokens {
  const verified = new SharedPlaces<string, VerifiedToken>(KEPT)
  const keyOf = (token: string) => hash('sha256', token, 'base64')
  return {
    find(token) {
      const known = verified.get(keyOf(token))
      return known && known.expiresAt > Math.floor(now() / 1_000) ? known : null
    },
    add: (token, one) => verified.set(keyOf(token), one),
  }
}
