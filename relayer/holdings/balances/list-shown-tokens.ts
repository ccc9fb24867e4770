import type { DatabasePool } from 'slonik'
import { listTokensEverHeld } from '../../../db/holdings/address-holdings.ts'
import type { TokenId } from '../tokens/token-id.ts'
import type { Tokens } from '../tokens/tokens.ts'

/** More than this nobody's account is looked at: a token beyond it is one that nobody listed or added. */
const MOST_EVER_HELD = 20_000

/**
 * The tokens of an account that answers tell of: all that it ever held, or where these are more than
 * `catalog.maxUnlisted`, those that {@link Tokens.limitUnlisted} leaves. One query, unless an account was sent that many.
 */
export async function listShownTokens(
  { database, tokens }: { database: DatabasePool; tokens: Pick<Tokens, 'limitUnlisted' | 'maxUnlisted'> },
  accountId: string,
): Promise<{ tokens: readonly TokenId[]; isLimited: boolean }> {
  const few = await listTokensEverHeld(database, accountId, tokens.maxUnlisted + 1)
  if (few.length <= tokens.maxUnlisted) return { tokens: few, isLimited: false }
  const all = await listTokensEverHeld(database, accountId, MOST_EVER_HELD)
  const chosen = await tokens.limitUnlisted(all, accountId)
  return { tokens: chosen, isLimited: chosen.length < all.length }
}
