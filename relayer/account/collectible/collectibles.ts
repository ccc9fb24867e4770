import type { Address } from 'viem'

/** A recorded collectible that the account holds still. */
export interface CollectibleDeposit {
  /** Number of the token in its collection. */
  tokenId: bigint
  /** Null where the operator named no pictures. */
  imageUrl: string | null
  /** The account's address that holds it. */
  depositAddress: Address
}

/** What collectibles do for an account. */
export interface CollectibleState {
  /** They waive the service fees now. */
  active: boolean
  deposits: readonly CollectibleDeposit[]
}

/** Collectibles that waive service fees. Every accountId here has been checked to be the caller's. */
export interface Collectibles {
  /** Whether the operator named any collection. */
  isConfigured: boolean
  /** By one query: what is recorded and held now. */
  read(accountId: string): Promise<CollectibleState>
  /**
   * Records the collectibles that came to unused addresses of the account, as far as the chains are indexed: the indexer has asked
   * each contract for the owner. Repeated, it changes nothing.
   */
  verify(accountId: string): Promise<CollectibleState>
}
