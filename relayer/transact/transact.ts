import type { CashProgress } from './cash-orders/cash-progress.ts'
import type { OrderProgress } from './orders/order-progress.ts'
import type { Address, Hex } from 'viem'
import type { KeepAnswer } from '../keep-answer.ts'
import type { KindContext } from './kinds/quote-kind.ts'
import type { MaxRequest, QuoteRequest } from './kinds/quote-kinds.ts'
import type { QuoteOutput, QuotePlan } from './kinds/quote-plan.ts'
import type { PoisoningMatch } from './screening/match-poisoning.ts'
import type { SubmittedDelegation } from './intents/delegation-wire.ts'
import type { SubmittedIntent } from './intents/intent-wire.ts'
import type { KnownAddress } from './safety/match-known.ts'

/** Fees of a quote. */
export interface QuoteFees {
  /** In the spent token, smallest unit. */
  network: bigint
  service: bigint
  /** The service's share of a deposit into a pool, and what the pool's owner keeps of it. */
  deposit: bigint
  vetting: bigint
  /** What is too little to be worth returning, and stays behind. */
  dust: bigint
  networkUsd: number | null
  totalUsd: number | null
  /** Service fees are suspended for the account. */
  waived: boolean
}

/** A signed quote. */
export interface Quote {
  quoteId: string
  /** The quote in wire form without its signature: what is signed, and what is shown. */
  terms: Record<string, unknown>
  /** P-256 over the canonical JSON of the terms. */
  signature: Hex
  signedPayload: string
}

/** The status of a quote as clients see it. */
export type QuoteStatus =
  | 'locked'
  | 'queued'
  | 'pending'
  | 'confirmed'
  | 'failed'
  | 'stuck'
  | 'unlocked'
  | 'expired'
  | 'replaced'
  | 'manual_review'

/** How far a submitted quote has come; `txHash` is null until a node took a transaction that carries it. */
export interface RelayStatus {
  quoteId: string
  status: QuoteStatus
  /** The newest transaction that carries it. */
  txHash: Hex | null
  confirmedTxHash: Hex | null
  /** Why it failed, or has to be looked at. */
  error: string | null
  updatedAt: Date
  /** How its crossing to another chain stands; null for a quote that stays on its chain. */
  bridge: OrderProgress | null
  /** How its cash-out stands; null for a quote that is none. */
  offRamp: CashProgress | null
}

/** The most that can be spent now. Amounts in the token's smallest unit. */
export interface MaxSpendable {
  /** What can be spent at most without fees, smallest unit. */
  maxAmount: bigint
  /** Before fees. */
  grossAmount: bigint
  fees: QuoteFees
  feeEstimateUsd: number | null
  /** Addresses that would pay; notes where a pool pays. */
  spendableCount: number
  protocolFeeBps: number
}

/** A plan whose price somebody wants to know. */
export interface PreviewRequest<Found extends { plan: QuotePlan }> {
  /** Name of the quote's kind. */
  kind: string
  chainId: number
  /** What the plan spends, smallest unit. */
  amount: bigint
  /** Makes the plan, and finds what else is to be shown beside its price. */
  find(context: KindContext): Promise<Found>
}

/** What a quote of a plan would say now. Fees in the smallest unit of the spent token. */
export interface PlanPreview {
  /** The plan that was run in the end. */
  plan: QuotePlan
  output: QuoteOutput
  /** Null where the account could not pay and the cost of such calls was not measured lately. */
  feeEstimate: bigint | null
  protocolFeeBps: number
  protocolFeeAmount: bigint
  /** The account's funds could not pay: nothing was run. */
  rateOnly: boolean
}

/** A quote's intents and delegations with the client's signatures. */
export interface Submission {
  quoteId: string
  intents: readonly SubmittedIntent[]
  delegations: readonly SubmittedDelegation[]
}

/** The answer to a submission: `queued` until a transaction carries it. */
export interface SubmitAnswer {
  quoteId: string
  txHash: Hex | null
  status: 'submitted' | 'queued'
}

/** What an address is to the account that wants to pay it, and which known address it imitates. */
export interface RecipientKind {
  kind: 'eoa' | 'contract' | 'delegated' | 'own'
  poisoning: PoisoningMatch<KnownAddress> | null
}

/**
 * Quoting: chooses funds, computes fees, reserves. Every accountId here has been checked to be the caller's.
 *
 * @example
 * ```ts
 * const { quoteId, terms, signature } = await quotes.create(accountId, request) // its funds are reserved
 * await quotes.unlock(accountId, quoteId) // and free again
 * ```
 */
export interface Quotes {
  /** P-256 key that signs quotes. */
  signerPublicKey(): { publicKey: string; format: 'hex'; curve: 'P-256'; algorithm: 'ECDSA' }
  /** What may stand behind the arguments of calls to be signed: a wallet refuses everything else. */
  attribution(): { codes: readonly string[]; integratorIds: readonly Hex[] }
  /**
   * Chooses funds, computes the fees, reserves, and returns what is to be signed.
   *
   * @param keepAnswer Runs in the transaction that reserves.
   * @throws ServiceError with a code and the members that go with it; nothing is reserved then.
   */
  create(accountId: string, request: QuoteRequest, keepAnswer?: KeepAnswer<Quote>): Promise<Quote>
  /** A replacement at the present cost, over the same funds and until the same time. */
  refresh(accountId: string, quoteId: string, keepAnswer?: KeepAnswer<Quote>): Promise<Quote>
  /** Gives the reserved funds back. Again is no error. @throws ServiceError `not-found`; `bad-request` once it was submitted. */
  unlock(accountId: string, quoteId: string): Promise<void>
  /** The most that can be spent, after fees; nothing is reserved. */
  maxSpendable(accountId: string, request: MaxRequest): Promise<MaxSpendable>
  /**
   * What a quote of a plan would say now; nothing is reserved and no address is issued.
   * @throws ServiceError as `create` does, but for shortages of funds.
   */
  preview<Found extends { plan: QuotePlan }>(
    accountId: string,
    asked: PreviewRequest<Found>,
  ): Promise<PlanPreview & { found: Found }>
  /** Releases what quotes that ran out have locked, and what was spent and is indexed; called on a timer. */
  expire(): Promise<void>
  /** What stands behind an address, and which known one it imitates. @throws ServiceError `bad-gateway` when the chain does not answer. */
  describeRecipient(accountId: string, chainId: number, address: Address): Promise<RecipientKind>
  /** The public picture of a destination that is a name; null without one. */
  findAvatar(destination: string): Promise<string | null>
}

/** Submitting: checking what was signed, sending it, following it to its end. */
export interface Submissions {
  /**
   * Takes signed intents: verified against the stored terms, then queued for sending. The same quote again is sent once,
   * and answered as the first time.
   *
   * @param from The network of the client: new accounts of one share the gas that they may lose.
   * @throws ServiceError `not-found`; `bad-request` QUOTE_EXPIRED, QUOTE_REFRESH_REQUIRED, INVALID_SIGNATURE,
   * AUTHORIZATION_NONCE_STALE, QUOTE_MISMATCH, SIMULATION_FAILED; `forbidden` TOO_MANY_FAILED for an account whose
   * payments keep failing at our cost; `too-many-requests` TOO_MANY_UNDER_WAY.
   */
  submit(accountId: string, submission: Submission, from?: string | null): Promise<SubmitAnswer>
  relayStatus(accountId: string, quoteId: string): Promise<RelayStatus>
  /** The present status, then each change, until the quote has ended. */
  follow(accountId: string, quoteId: string, signal: AbortSignal): AsyncIterable<RelayStatus>
  start(): Promise<void>
  stop(): Promise<void>
}
