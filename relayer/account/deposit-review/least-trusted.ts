import type { Price } from '../../market/prices/prices.ts'
import { USD_DECIMALS } from '../../market/prices/prices.ts'
import type { Token } from '../../market/tokens/tokens.ts'

/** A cent, in units of 10^-30 dollars. */
const CENT = 10n ** BigInt(USD_DECIMALS - 2)

/**
 * From which amount on a receipt of a token is trusted, in its smallest unit: from one cent, or from one unit where the
 * token has no price but is listed or watched by the account. Null where none is: likely spam, or unknown to all.
 */
export function leastTrusted(
  token: Pick<Token, 'spam' | 'visibility' | 'decimals'>,
  price: Pick<Price, 'usd'> | null,
  isWatched: boolean,
): bigint | null {
  if (token.spam || token.visibility === 'hidden') return null
  if (!price) return isWatched || token.visibility !== 'unlisted' ? 1n : null
  const cents = (CENT * 10n ** BigInt(token.decimals) + price.usd - 1n) / price.usd
  return cents > 1n ? cents : 1n
}
