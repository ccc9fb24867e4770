import type { KnownChain } from 'stealth-relay/client'
import type { Address, Hex } from 'viem'

/**
 * Settings that come with the page, as its code does: the operator's own, and not the API's. The wallet signs for these
 * contracts only.
 */
export interface WalletSettings {
  chains: readonly WalletChain[]
  /** The chains are the local ones, whose coins are worth nothing: a button pays the user. */
  isDevnet: boolean
  /** Parent of the accounts' names, such as pay.example.eth; null where the service gives none. */
  nameParent: string | null
}

/** A chain with its name for people. */
export interface WalletChain extends KnownChain {
  name: string
  nativeSymbol: string
  /** The venue that sells tokens for money on a bank account or payment app. */
  cash?: CashVenue
}

/** The contracts of sales for money. */
export interface CashVenue {
  escrow: Address
  gatingService: Address
  tokens: readonly Address[]
  /** The escrow's feed of each currency, and which of its prices. */
  feeds: Readonly<Record<string, { feed: Address; feedConfig: Hex }>>
}
