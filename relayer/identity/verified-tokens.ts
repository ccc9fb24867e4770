import { hash } from 'node:crypto'
import { SharedPlaces } from '../shares/shared-places.ts'
import type { TokenClaims } from './tokens.ts'

/** Maximum of cached tokens. */
const KEPT = 10_000

/** A token with a valid signature, and the conditions of that. */
interface VerifiedToken {
  claims: TokenClaims
  /** The key that signed it; the entry is void once the key is gone. */
  keyId: string
  /** Seconds since the epoch. */
  expiresAt: number
}

/**
 * A cache of verified tokens. A client sends the same token with every request, and checking a signature takes half a
 * millisecond.
 */
export interface VerifiedTokens {
  /** Returns the token's entry; null if it has expired or is not cached. */
  find(token: string): VerifiedToken | null
  add(token: string, verified: VerifiedToken): void
}

/**
 * Creates the cache. It holds digests, so that a dump of it reveals no token.
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
