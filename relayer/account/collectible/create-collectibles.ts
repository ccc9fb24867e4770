import type { DatabasePool } from 'slonik'
import {
  listDeposits,
  listUnrecorded,
  recordDeposits,
} from '../../../db/account/collectible/collectible-deposits.ts'
import type { Collectibles } from './collectibles.ts'
import type { Collection } from './config.ts'

/** Maximum of tokens recorded by one call. */
const MOST_RECORDED = 20

/** Dependencies of collectibles. */
export interface CollectiblesOptions {
  database: DatabasePool
  collections: readonly Collection[]
}

/** Creates the collectibles over the indexer's holdings. */
export function createCollectibles({ database, collections }: CollectiblesOptions): Collectibles {
  const imageOf = new Map(
    collections.map(({ chainId, contract, imageUrl }) => [`${chainId} ${contract}`, imageUrl]),
  )

  async function read(accountId: string) {
    if (collections.length === 0) return { active: false, deposits: [] }
    const rows = await listDeposits(database, accountId, collections)
    return {
      active: rows.some(({ counts }) => counts),
      deposits: rows.map(({ chainId, contract, tokenId, address }) => ({
        tokenId,
        imageUrl: imageOf.get(`${chainId} ${contract}`)?.replaceAll('{tokenId}', String(tokenId)) ?? null,
        depositAddress: address,
      })),
    }
  }

  return {
    isConfigured: collections.length > 0,
    read,
    async verify(accountId) {
      if (collections.length > 0) {
        const found = await listUnrecorded(database, accountId, collections, MOST_RECORDED)
        if (found.length > 0) await recordDeposits(database, accountId, found)
      }
      return read(accountId)
    },
  }
}
