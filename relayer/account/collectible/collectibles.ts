import type { Address } from 'viem'
import type { DatabasePool } from 'slonik'
import {
  listDeposits,
  listUnrecorded,
  recordDeposits,
} from '../../../db/account/collectible/collectible-deposits.ts'
import type { Collection } from './config.ts'

/** A recorded collectible that the account still holds. */
export interface CollectibleDeposit {
  /** Number of the token in its collection. */
  tokenId: bigint
  /** Null if the operator set no picture. */
  imageUrl: string | null
  /** The account's address that holds it. */
  depositAddress: Address
}

/** The effect of collectibles on an account. */
export interface CollectibleState {
  /** True if they waive the service fees now. */
  active: boolean
  deposits: readonly CollectibleDeposit[]
}

/** Collectibles that waive service fees. Every accountId here has been checked to be the caller's. */
export interface Collectibles {
  /** True if the operator named a collection. */
  isConfigured: boolean
  /** Returns the recorded collectibles that are held now, by one query. */
  read(accountId: string): Promise<CollectibleState>
  /**
   * Records the collectibles that unused addresses of the account received, as far as the chains are indexed. The
   * indexer has asked each contract for the owner. A repeated call changes nothing.
   */
  verify(accountId: string): Promise<CollectibleState>
}

/** Maximum of tokens recorded by one call. */
const MOST_RECORDED = 20

/** Creates the collectibles over the indexer's holdings. */
export function createCollectibles(database: DatabasePool, collections: readonly Collection[]): Collectibles {
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
