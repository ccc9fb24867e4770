import type { Address } from 'viem'
import type { GenerationContext } from '../../../db/account/addresses/issue-addresses.ts'
import type { AddressFact } from './address-facts.ts'

/** An address to be paid at, with the derivationNonce that its key is derived by. */
export interface IssuedAddress {
  address: Address
  derivationNonce: number
  /** An unused address that was handed out before. */
  reused: boolean
  /** When fresh addresses are handed out again; null while they are. */
  limitResetsAt: Date | null
}

/** An address of an account; `generationContext` is null where it was not recorded. */
export interface OwnedAddress {
  address: Address
  derivationNonce: number
  generationContext: 'external' | 'fund-movement' | null
  createdAt: Date
}

/** An app that was shown an address, by the name that the operator knows it by; else its host. */
export interface UsedApp {
  origin: string
  displayName: string
  iconUrl: string | null
}

/** Names an app. Nothing that it says of itself counts. */
export type DescribeApp = (origin: string) => UsedApp

/** Which addresses are wanted. A member that is absent does not filter. */
export interface AddressSelection {
  address?: Address
  hasActivity?: boolean
  hasBalance?: boolean
  usedWithApps?: boolean
}

/** A page of addresses after a derivationNonce; `includeSummary` adds what each address holds. */
export interface AddressQuery {
  filter: AddressSelection
  includeSummary: boolean
  after: number | null
  limit: number
}

/** A page of addresses with what is known of each. */
export interface AddressPage {
  items: readonly (OwnedAddress & { facts: AddressFact; usedApps: readonly UsedApp[] })[]
  /** How many the filter lets through on all pages. */
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

/** The one-time addresses of accounts. Every accountId here has been checked to be the caller's. */
export interface Addresses {
  /**
   * The next address to be paid at: never one that another call got, unless it is unused and `reused` says so.
   *
   * @param network Who asks: all accounts of a network share a limit of fresh addresses for others to pay to.
   */
  issue(accountId: string, context: GenerationContext, network?: string): Promise<IssuedAddress>
  owns(accountId: string, address: Address): Promise<boolean>
  /** Oldest first, after the given derivationNonce. */
  list(accountId: string, page: { after: number | null; limit: number }): Promise<readonly OwnedAddress[]>
  count(accountId: string): Promise<number>
  /** A page of those that match, with what is known of them. */
  browse(accountId: string, query: AddressQuery): Promise<AddressPage>
  /** Which addresses were shown to which apps, the latest use first. */
  listDappAddresses(
    accountId: string,
    page: { limit: number; offset: number },
  ): Promise<{ items: readonly DappAddress[]; hasMore: boolean }>
}
