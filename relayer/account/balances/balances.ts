import type { Address } from 'viem'
import type { UsedApp } from '../addresses/addresses.ts'
import type { ExplainedHoldings } from '../provenance/provenance.ts'
import type { FeeWaiver } from '../fee-waivers/fee-waivers.ts'
import type { Price } from '../../market/prices/prices.ts'
import type { Pricing } from '../../market/prices/summarize-pricing.ts'
import type { TokenId } from '../../market/tokens/token-id.ts'
import type { Token } from '../../market/tokens/tokens.ts'
import type { AccountTokens, BalanceReader, TokenBalance } from '../../market/watchlist/watched-tokens.ts'

/** All that an account has, one entry per token and chain. */
export interface BalanceSheet {
  balances: readonly TokenBalance[]
  pricing: Pricing
  feeWaiver: FeeWaiver
}

/** What one address has of one token, smallest units. */
export interface AddressTokenBalance {
  token: Token
  chainName: string
  available: bigint
  /** Promised to quotes. */
  pending: bigint
  price: Price | null
}

/** The same, and how the address came by it. */
export interface ReceivedTokenBalance extends AddressTokenBalance {
  receiveCount: number
  lastReceivedAt: Date | null
}

/** An account's balances on a chain, because they changed there. */
export interface SheetChange {
  chainId: number
  sheet: BalanceSheet
}

/** How an address received its funds. */
export interface ReceiveSummary {
  receiveCount: number
  /** Without leaving out what looks like spam. */
  rawReceiveCount: number
  assetCount: number
  chainCount: number
}

/** An address that has something. */
export interface FundedAddress {
  address: Address
  derivationNonce: number
  usedApps: readonly UsedApp[]
  balances: readonly AddressTokenBalance[]
}

/** The same, and how it was paid. */
export interface ReceivingAddress extends FundedAddress {
  /** When it was last paid out of a pool; null if never. */
  lastPrivatelyFundedAt: Date | null
  summary: ReceiveSummary
  balances: readonly ReceivedTokenBalance[]
  /** Units of 10^-30 dollars; null when nothing of it has a price. */
  totalUsd: bigint | null
}

/** Addresses that have something, of all that do, and where their holdings come from. */
export interface ExplainedAddresses {
  addresses: readonly ReceivingAddress[]
  total: number
  explained: ExplainedHoldings
}

/** Which funded addresses are asked for, and which page of them. */
export interface FundedAddressQuery {
  address?: Address | undefined
  chainId?: number | undefined
  token?: Address | undefined
  /** All of them unless given. */
  limit?: number | undefined
  offset?: number | undefined
}

/** What accounts have. Every accountId here has been checked to be the caller's. */
export interface Balances extends AccountTokens, BalanceReader {
  /** On every chain, or on one. @throws ServiceError `bad-request` CHAIN_NOT_SUPPORTED. */
  readSheet(accountId: string, chainId?: number): Promise<BalanceSheet>
  /**
   * Yields the sheet of each chain on which an amount changes from now on.
   *
   * @param changes Where and when something happened, as AccountChanges yields it.
   */
  follow(
    accountId: string,
    changes: AsyncGenerator<{ chainIds: ReadonlySet<number>; changedAt: number }>,
  ): AsyncGenerator<SheetChange>
  /**
   * Of one token; zeros for one that was never received.
   *
   * @throws ServiceError `bad-request` CHAIN_NOT_SUPPORTED, `unavailable` TOKEN_METADATA_UNAVAILABLE when the
   * token's decimals cannot be learnt.
   */
  readToken(accountId: string, id: TokenId): Promise<TokenBalance>
  /** All addresses of the account that hold something, by derivationNonce. */
  readFundedAddresses(accountId: string): Promise<readonly FundedAddress[]>
  /**
   * A page of them, and where their holdings come from.
   *
   * @throws ServiceError `bad-request` CHAIN_NOT_SUPPORTED.
   */
  explainFundedAddresses(accountId: string, query: FundedAddressQuery): Promise<ExplainedAddresses>
}
