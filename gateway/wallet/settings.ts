import type { KnownChain } from 'stealth-relay/client'

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
}
