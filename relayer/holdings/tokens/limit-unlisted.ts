import type { DatabasePool } from 'slonik'
import { listAccountTokens } from '../../../db/tokens/account-tokens.ts'
import { rankUnlisted } from '../../../db/tokens/token-sources.ts'
import { keyOf, type TokenId, type TokenKey } from './token-id.ts'

/**
 * Leaves out tokens that were sent to an account in great number: of those that are neither listed nor added by the
 * account, `most` stay, those with a price first, then those that the service has known the longest. Anybody can send
 * an account any number of tokens, and each would cost every answer that tells of it.
 */
export async function limitUnlisted(
  { database, isListed, most }: { database: DatabasePool; isListed(key: TokenKey): boolean; most: number },
  ids: readonly TokenId[],
  accountId: string,
): Promise<readonly TokenId[]> {
  const unlisted = ids.filter((id) => !isListed(keyOf(id)))
  if (unlisted.length <= most) return ids
  const added = new Set(
    (await listAccountTokens(database, accountId)).map(({ chainId, address }) => `${chainId}:${address}`),
  )
  const strangers = unlisted.filter((id) => !added.has(keyOf(id)))
  if (strangers.length <= most) return ids
  const kept = new Set<string>(
    (await rankUnlisted(database, strangers, most)).map(({ chainId, address }) => `${chainId}:${address}`),
  )
  const isStranger = new Set(strangers.map(keyOf))
  return ids.filter((id) => !isStranger.has(keyOf(id)) || kept.has(keyOf(id)))
}
