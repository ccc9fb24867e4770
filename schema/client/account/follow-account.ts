// SPDX-License-Identifier: MIT
/** How a client learns of payments and of its own orders while they happen: one stream of events, which resumes. */
import type { Address, Hex } from 'viem'
import type { Client } from './open-client.ts'
import type { Review } from './review-receipts.ts'

/** One amount of a token now. Amounts are decimal strings of the token's smallest unit. */
export interface ChangedBalance {
  chainId: number
  /** The zero address is the native coin. */
  token: Address
  tokenSymbol: string
  decimals: number
  /** Can be spent now. */
  available: string
  /** Reserved by quotes, or on its way out. */
  pending: string
}

/** An order now. */
export interface OrderProgress {
  quoteId: string
  status: string
  /** Null until it is confirmed. */
  confirmedTxHash: Hex | null
  /** Null unless it failed. */
  error: string | null
}

/** An event of an account; `type` narrows the other members. Later versions of the service may send other types. */
export type AccountEvent =
  | { type: 'BalanceChanged'; balance: ChangedBalance }
  | { type: 'ActivityChanged'; activity: { id: string; kind: string; state: string; chainId: number } }
  /** A reorg removed its transaction. */
  | { type: 'ActivityRemoved'; activityId: string }
  | { type: 'QuoteChanged' | 'RelayProgress'; progress: OrderProgress }
  /** Addresses in each group of the deposit review, and those that need review and were not marked as seen. */
  | { type: 'ReviewChanged'; counts: Review['counts']; unseenNeedsReview: number }
  | { type: 'DepositReviewed'; deposit: { chainId: number; poolAddress: Address; standing: string } }
  /** The first event of a stream, and each time events are missing: read again what you have. */
  | { type: 'ResyncRequired'; reason: string }

const PROGRESS = 'progress { quoteId status confirmedTxHash error }'
const QUERY = `subscription AccountEvents {
  accountEvents {
    type: __typename
    ... on BalanceChanged { balance { chainId token: tokenAddress tokenSymbol decimals available pending } }
    ... on ActivityChanged { activity { id kind state chainId } }
    ... on ActivityRemoved { activityId }
    ... on QuoteChanged { ${PROGRESS} }
    ... on RelayProgress { ${PROGRESS} }
    ... on ReviewChanged { counts { needsReview inProgress done skipped } unseenNeedsReview }
    ... on DepositReviewed { deposit { chainId poolAddress standing } }
    ... on ResyncRequired { reason }
  }
}`

/**
 * Yields all that changes of the account, until the signal is aborted. A cut stream is connected again, and resumes.
 * @throws StreamRefusal where the service refuses; the signal's reason when it is aborted.
 */
export async function* followAccount(client: Client, signal: AbortSignal): AsyncGenerator<AccountEvent> {
  const events = client.follow<{ accountEvents: AccountEvent | { type: 'SessionExpiring' } }>(
    QUERY,
    {},
    signal,
  )
  // The client renews its session by itself.
  for await (const { accountEvents: event } of events) if (event.type !== 'SessionExpiring') yield event
}
