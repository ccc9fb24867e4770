import { USD_DECIMALS, type Price } from '../../market/prices/prices.ts'
import type { Token } from '../../market/tokens/tokens.ts'

/** A cent, in units of 10^-30 dollars. */
const CENT = 10n ** BigInt(USD_DECIMALS - 2)

/** What decides whether receipts of a token are trusted. */
export interface ReceivedToken {
  /** Null where no contract describes it. */
  token: Pick<Token, 'spam' | 'visibility' | 'decimals'> | null
  /** Null where it is unknown. */
  price: Pick<Price, 'usd'> | null
  /** The account added the token to its list. */
  isWatched: boolean
}

/**
 * From which amount on a receipt of a token is trusted, in its smallest unit: from one cent, or from one unit where the
 * token has no price but is listed or watched. Null where no amount is: likely spam, or nothing that anybody vouches for.
 * Statements may use it as a bound for each token.
 */
export function leastTrusted({ token, price, isWatched }: ReceivedToken): bigint | null {
  if (!token || token.spam || token.visibility === 'hidden') return null
  if (!price) return isWatched || token.visibility !== 'unlisted' ? 1n : null
  const cents = (CENT * 10n ** BigInt(token.decimals) + price.usd - 1n) / price.usd
  return cents > 1n ? cents : 1n
}

/**
 * Whether an amount that arrived at an address counts as asked for. What does not is shown in counts and is never a source;
 * otherwise anybody could make an address look joined with others by sending it dust.
 *
 * @param amount Smallest unit.
 */
export function isTrustedReceive(amount: bigint, received: ReceivedToken): boolean {
  const least = leastTrusted(received)
  return least !== null && amount >= least
}
