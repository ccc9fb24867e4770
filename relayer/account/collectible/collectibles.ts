import type { Address } from 'viem'

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
