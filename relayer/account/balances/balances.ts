import type { Address } from 'viem'
import type { UsedApp } from '../addresses/addresses.ts'
import type { ExplainedHoldings } from '../provenance/provenance.ts'
import type { FeeWaiver } from '../fee-waivers/fee-waivers.ts'
import type { Price } from '../../market/prices/prices.ts'
import type { Pricing } from '../../market/prices/summarize-pricing.ts'
import type { TokenId } from '../../market/tokens/token-id.ts'
import type { Token } from '../../market/tokens/tokens.ts'
import type { AccountTokens, BalanceReader, TokenBalance } from '../../market/watchlist/watched-tokens.ts'

/** All amounts of an account, one entry per token and chain. */
export interface BalanceSheet {
  balances: readonly TokenBalance[]
  pricing: Pricing
  feeWaiver: FeeWaiver
}

/** The amount of one token at one address, in smallest units. */
export interface AddressTokenBalance {
  token: Token
  chainName: string
  available: bigint
  /** Reserved by quotes. */
  pending: bigint
  price: Price | null
}

/** The same, with the token's receipts at the address. */
export interface ReceivedTokenBalance extends AddressTokenBalance {
  receiveCount: number
  lastReceivedAt: Date | null
}

/** An account's balances on a chain where they changed. */
export interface SheetChange {
  chainId: number
  sheet: BalanceSheet
}

/** Counts of an address's receipts. */
export interface ReceiveSummary {
  receiveCount: number
  /** Includes likely spam. */
  rawReceiveCount: number
  assetCount: number
  chainCount: number
}

/** An address with holdings. */
export interface FundedAddress {
  address: Address
  derivationNonce: number
  usedApps: readonly UsedApp[]
  balances: readonly AddressTokenBalance[]
}

/** The same, with its receipts. */
export interface ReceivingAddress extends FundedAddress {
  /** Time of the last payment out of a pool; null if there was none. */
  lastPrivatelyFundedAt: Date | null
  summary: ReceiveSummary
  balances: readonly ReceivedTokenBalance[]
  /** Units of 10^-30 dollars; null if no holding has a price. */
  totalUsd: bigint | null
}

/** A page of the addresses with holdings, the total, and the origins of the holdings. */
export interface ExplainedAddresses {
  addresses: readonly ReceivingAddress[]
  total: number
  explained: ExplainedHoldings
}

/** A filter of funded addresses, and a page. */
export interface FundedAddressQuery {
  address?: Address | undefined
  chainId?: number | undefined
  token?: Address | undefined
  /** Default: all. */
  limit?: number | undefined
  offset?: number | undefined
}

/** The balances of accounts. Every accountId here has been checked to be the caller's. */
export interface Balances extends AccountTokens, BalanceReader {
  /** Reads the balances on every chain, or on one. @throws ServiceError `bad-request` CHAIN_NOT_SUPPORTED. */
  readSheet(accountId: string, chainId?: number): Promise<BalanceSheet>
  /**
   * Yields the sheet of each chain on which an amount changes from now on.
   *
   * @param changes Chain and time of each event, as AccountChanges yields it.
   */
  follow(
    accountId: string,
    changes: AsyncGenerator<{ chainIds: ReadonlySet<number>; changedAt: number }>,
  ): AsyncGenerator<SheetChange>
  /**
   * Reads the balance of one token; zeros if it was never received.
   *
   * @throws ServiceError `bad-request` CHAIN_NOT_SUPPORTED, `unavailable` TOKEN_METADATA_UNAVAILABLE if the token's
   * decimals cannot be read.
   */
  readToken(accountId: string, id: TokenId): Promise<TokenBalance>
  /** Returns all addresses of the account with holdings, by derivationNonce. */
  readFundedAddresses(accountId: string): Promise<readonly FundedAddress[]>
  /**
   * Returns a page of them, and the origins of their holdings.
   *
   * @throws ServiceError `bad-request` CHAIN_NOT_SUPPORTED.
   */
  explainFundedAddresses(accountId: string, query: FundedAddressQuery): Promise<ExplainedAddresses>
}
