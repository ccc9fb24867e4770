import type { Address } from 'viem'
import type { GenerationContext } from '../../../db/account/addresses/issue-addresses.ts'
import type { AddressFact } from './address-facts.ts'

/** An address to receive payments, with the derivationNonce of its key. */
export interface IssuedAddress {
  address: Address
  derivationNonce: number
  /** True for an unused address that was handed out before. */
  reused: boolean
  /** The time from which fresh addresses are handed out again; null while they are available. */
  limitResetsAt: Date | null
}

/** An address of an account; `generationContext` is null if it was not recorded. */
export interface OwnedAddress {
  address: Address
  derivationNonce: number
  generationContext: 'external' | 'fund-movement' | null
  createdAt: Date
}

/** An app that was shown an address, with the operator's name for it; else its host. */
export interface UsedApp {
  origin: string
  displayName: string
  iconUrl: string | null
}

/** Names an app. The app's own description of itself is ignored. */
export type DescribeApp = (origin: string) => UsedApp

/** A filter of addresses. An absent member does not filter. */
export interface AddressSelection {
  address?: Address
  hasActivity?: boolean
  hasBalance?: boolean
  usedWithApps?: boolean
}

/** A page of addresses after a derivationNonce; `includeSummary` adds each address's holdings. */
export interface AddressQuery {
  filter: AddressSelection
  includeSummary: boolean
  after: number | null
  limit: number
}

/** A page of addresses with the facts of each. */
export interface AddressPage {
  items: readonly (OwnedAddress & { facts: AddressFact; usedApps: readonly UsedApp[] })[]
  /** The number of matching addresses on all pages. */
  total: number
  /** The derivationNonce after which the next page begins; null on the last one. */
  next: number | null
  checkedChainIds: readonly number[]
}

/** An address and an app that it was shown to. */
export interface DappAddress {
  address: Address
  app: UsedApp
  lastUsedAt: Date
}

/** Which account owns an address. */
export interface AddressOwnership {
  owns(accountId: string, address: Address): Promise<boolean>
}

/** The one-time addresses of accounts. Every accountId here has been checked to be the caller's. */
export interface Addresses extends AddressOwnership {
  /**
   * Issues the next address to receive payments. An address from an earlier call is returned only if unused, with
   * `reused` set.
   *
   * @param network The caller's network. Its accounts share a limit of fresh external addresses.
   */
  issue(accountId: string, context: GenerationContext, network?: string): Promise<IssuedAddress>
  /** Returns addresses after the given derivationNonce, oldest first. */
  list(accountId: string, page: { after: number | null; limit: number }): Promise<readonly OwnedAddress[]>
  count(accountId: string): Promise<number>
  /** Returns a page of the matching addresses, with their facts. */
  browse(accountId: string, query: AddressQuery): Promise<AddressPage>
  /** Returns the apps that were shown addresses, the latest use first. */
  listDappAddresses(
    accountId: string,
    page: { limit: number; offset: number },
  ): Promise<{ items: readonly DappAddress[]; hasMore: boolean }>
}
