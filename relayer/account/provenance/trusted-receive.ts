import { USD_DECIMALS } from '../../market/prices/prices.ts'
import type { Token } from '../../market/tokens/tokens.ts'

/** A cent, in units of 10^-30 dollars. */
const CENT = 10n ** BigInt(USD_DECIMALS - 2)

/** The facts that decide whether receipts of a token are trusted. */
export interface ReceivedToken {
  /** Null if no contract describes it. */
  token: Pick<Token, 'spam' | 'visibility' | 'decimals'> | null
  /** Null if unknown. */
  price: { usd: bigint } | null
  /** True if the account added the token to its list. */
  isWatched: boolean
}

/**
 * Returns the minimum trusted amount of a token, in its smallest unit. A smaller amount is never a source, because anyone
 * could make an address look joined with others by sending it dust. It is one cent, or one unit for a listed or
 * watched token without a price. Null if no amount is trusted: likely spam, or a token without price and listing.
 * Statements may use it as a bound for each token.
 */
export function leastTrusted({ token, price, isWatched }: ReceivedToken): bigint | null {
  if (!token || token.spam || token.visibility === 'hidden') return null
  if (!price) return isWatched || token.visibility !== 'unlisted' ? 1n : null
  const cents = (CENT * 10n ** BigInt(token.decimals) + price.usd - 1n) / price.usd
  return cents > 1n ? cents : 1n
}
