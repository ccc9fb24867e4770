import type { DatabasePool } from 'slonik'
import { listTokensEverHeld, rankUnlistedTokens } from '../../../db/account/balances/tokens-ever-held.ts'
import type { TokenId } from '../../market/tokens/token-id.ts'
import type { Tokens } from '../../market/tokens/tokens.ts'

/** Limit of tokens read; no honest account holds so many. */
const MOST_EVER_HELD = 100_000

/** The tokens that an answer lists. */
export interface ShownTokens {
  tokens: readonly TokenId[]
  /** True if the account held others that are not listed. */
  isLimited: boolean
}

/**
 * Returns the tokens of an account that answers show: all that it ever held, up to `catalog.maxUnlisted`.
 * Beyond that: listed tokens, tokens that the account added, and `catalog.maxUnlisted` others. Others with a price
 * come first, then those known the longest. The limit exists because anyone can send an account any number of tokens,
 * and each makes every answer dearer. One query, or three for an account that was sent that many.
 */
export async function listShownTokens(
  { database, tokens }: { database: DatabasePool; tokens: Pick<Tokens, 'isListed' | 'maxUnlisted'> },
  accountId: string,
): Promise<ShownTokens> {
  const { maxUnlisted } = tokens
  const few = await readHeld(database, accountId, maxUnlisted + 1)
  if (few.length <= maxUnlisted) return { tokens: few, isLimited: false }
  const all = await readHeld(database, accountId, MOST_EVER_HELD)
  const listed = all.filter((id) => tokens.isListed(id))
  if (all.length - listed.length <= maxUnlisted) return { tokens: all, isLimited: false }
  const others = await rankUnlistedTokens(database, accountId, listed, maxUnlisted)
  return { tokens: [...listed, ...others], isLimited: listed.length + others.length < all.length }
}

/** Expects checksummed addresses, as the database returns them. */
async function readHeld(database: DatabasePool, accountId: string, most: number): Promise<TokenId[]> {
  const held = await listTokensEverHeld(database, accountId, most)
  return held.flatMap(({ chainId, tokens }) => tokens.map((address) => ({ chainId, address })))
}
