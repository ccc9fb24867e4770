import type { Address } from 'viem'

export interface IssuedAddress {
  address: Address
  derivationNonce: number
  /** An unused address that was handed out before. */
  reused: boolean
  /** When fresh addresses are handed out again; null while they are. */
  limitResetsAt: Date | null
}

export interface OwnedAddress {
  address: Address
  derivationNonce: number
  generationContext: 'external' | 'fund-movement' | null
  createdAt: Date
}

/** The one-time addresses of accounts. Every accountId here has been checked to be the caller's. */
export interface Addresses {
  /** The next address to be paid at: never one that another call got, unless it is unused and `reused` says so. */
  issue(accountId: string, context: 'external' | 'fund-movement'): Promise<IssuedAddress>
  owns(accountId: string, address: Address): Promise<boolean>
  /** Oldest first, after the given derivationNonce. */
  list(accountId: string, page: { after: number | null; limit: number }): Promise<readonly OwnedAddress[]>
  count(accountId: string): Promise<number>
}
