import type { ChargedFees } from './fees/service-fee.ts'
import type { CashProgress } from './cash-orders/cash-state.ts'
import type { OrderProgress } from './orders/order-state.ts'
import type { Address, Hex } from 'viem'
import type { QuoteState } from '../../db/transact/quotes.ts'
import type { KeepAnswer } from '../keep-answer.ts'
import type { KindContext } from './kinds/quote-kind.ts'
import type { MaxRequest, QuoteRequest } from './kinds/quote-kinds.ts'
import type { PlannedOutput, QuotePlan } from './kinds/quote-plan.ts'
import type { PoisoningMatch } from './screening/match-poisoning.ts'
import type { SubmittedDelegation } from './intents/delegation.ts'
import type { SubmittedIntent } from './intents/intent-wire.ts'
import type { KnownAddress } from './safety/check-recipient.ts'

/** A signed quote. */
export interface Quote {
  quoteId: string
  /** The quote in wire form without its signature, for signing and display. */
  terms: Record<string, unknown>
  /** P-256 over the canonical JSON of the terms. */
  signature: Hex
  signedPayload: string
}

/** Progress of a submitted quote; `txHash` is null until a node accepted a transaction that carries it. */
export interface RelayStatus {
  quoteId: string
  /** Steps of `submitted`: `queued`, `pending`, `stuck`; `manual_review` for a spend that the wallet made otherwise. */
  status: Exclude<QuoteState, 'submitted'> | 'queued' | 'pending' | 'stuck' | 'manual_review'
  /** The newest transaction that carries it. */
  txHash: Hex | null
  confirmedTxHash: Hex | null
  /** Reason of a failure, or of a manual review. */
  error: string | null
  updatedAt: Date
  /** State of its crossing to another chain; null for a quote that stays on its chain. */
  bridge: OrderProgress | null
  /** State of its cash-out; null for any other quote. */
  offRamp: CashProgress | null
}

/** Most that can be spent now. Amounts in the token's smallest unit. */
export interface MaxSpendable {
  /** Most that can be spent without fees. */
  maxAmount: bigint
  /** Amount before fees. */
  grossAmount: bigint
  fees: ChargedFees
  feeEstimateUsd: number | null
  /** Number of addresses that would pay; of notes if a pool pays. */
  spendableCount: number
  protocolFeeBps: number
}

/** Request for the price of a plan. */
export interface PreviewRequest<Found extends { plan: QuotePlan }> {
  /** Name of the quote's kind. */
  kind: string
  chainId: number
  /** Amount that the plan spends, smallest unit. */
  amount: bigint
  /** Creates the plan, and finds the other content of the preview. */
  find(context: KindContext): Promise<Found>
}

/** Preview of a plan's quote. Fees in the smallest unit of the spent token. */
export interface PlanPreview {
  /** The plan that was run last. */
  plan: QuotePlan
  output: PlannedOutput
  /** Null if the account could not pay and the cost of such calls was not measured recently. */
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

/** A spend that the wallet sends, with the hashes of its withdrawals: public once they are on the chain. */
export interface SpendSubmission {
  quoteId: string
  withdrawals: readonly {
    /** Names the note, as in the quote. */
    commitmentId: string
    nullifierHash: bigint
    newCommitment: bigint
  }[]
}

/** The answer to a submission: `queued` until a transaction carries it; `told` where the wallet sends it. */
export interface SubmitAnswer {
  quoteId: string
  txHash: Hex | null
  status: 'submitted' | 'queued' | 'told'
}

/** Relation of an address to the account that wants to pay it, and the known address that it imitates. */
export interface RecipientKind {
  kind: 'eoa' | 'contract' | 'delegated' | 'own'
  poisoning: PoisoningMatch<KnownAddress> | null
}

/**
 * Quotes of all kinds, from their request to their end. Callers have checked that every accountId is the caller's own.
 *
 * @example
 * ```ts
 * const { quoteId, terms, signature } = await quotes.create(accountId, request) // its funds are reserved
 * await quotes.unlock(accountId, quoteId) // and free again
 * ```
 */
export interface Quotes {
  /** Returns the P-256 key that signs quotes. */
  signerPublicKey(): { publicKey: string; format: 'hex'; curve: 'P-256'; algorithm: 'ECDSA' }
  /** Returns the suffixes that calls to be signed may carry; wallets refuse all others. */
  attribution(): { codes: readonly string[]; integratorIds: readonly Hex[] }
  /**
   * Reads a quote again. Its signature covers what is stored: all but the origins of its money.
   * @throws ServiceError `not-found`, also once it ended unsubmitted, and for a spend that the wallet sends.
   */
  read(accountId: string, quoteId: string): Promise<Quote>
  /**
   * Describes an address, and the known one that it imitates. @throws ServiceError `bad-gateway` when the chain does
   * not answer.
   */
  describeRecipient(accountId: string, chainId: number, address: Address): Promise<RecipientKind>
  /** Returns the public picture of a destination that is a name; null without one. */
  findAvatar(destination: string): Promise<string | null>
  /**
   * Chooses funds, computes the fees, reserves, and returns the document to sign.
   *
   * @param keepAnswer Runs in the transaction that reserves.
   * @throws ServiceError with a code and the members that go with it; nothing is reserved then.
   */
  create(accountId: string, request: QuoteRequest, keepAnswer?: KeepAnswer<Quote>): Promise<Quote>
  /** Returns the most that can be spent, after fees; nothing is reserved. */
  maxSpendable(accountId: string, request: MaxRequest): Promise<MaxSpendable>
  /**
   * Replaces a quote at the present cost, with the same funds and deadline.
   * @throws ServiceError `not-found`; `bad-request` QUOTE_NOT_REFRESHABLE; as `create` does.
   */
  refresh(accountId: string, quoteId: string, keepAnswer?: KeepAnswer<Quote>): Promise<Quote>
  /**
   * Releases the reserved funds. Repeating it is no error. @throws ServiceError `not-found`; `bad-request` once it was
   * submitted.
   */
  unlock(accountId: string, quoteId: string): Promise<void>
  /**
   * Verifies signed intents against the stored terms, and queues them; or notes the withdrawals that the wallet sends. A
   * repeated submission is sent once, and answered as the first time.
   *
   * @param from The network of the client: new accounts of one network share the gas that they may waste.
   * @throws ServiceError `not-found`; `bad-request` QUOTE_EXPIRED, QUOTE_REFRESH_REQUIRED, INVALID_SIGNATURE,
   * AUTHORIZATION_NONCE_STALE, QUOTE_MISMATCH, SIMULATION_FAILED, NOTE_SPENT; `forbidden` TOO_MANY_FAILED for an account
   * whose payments keep failing at the service's cost; `too-many-requests` TOO_MANY_UNDER_WAY.
   */
  submit(
    accountId: string,
    submission: Submission | SpendSubmission,
    from?: string | null,
  ): Promise<SubmitAnswer>
  /** Returns the status of a quote; null for an unknown one. */
  relayStatus(accountId: string, quoteId: string): Promise<RelayStatus | null>
  /**
   * Yields the present status, then each change, until the quote has ended or the signal is aborted.
   * @throws ServiceError `not-found`.
   */
  follow(accountId: string, quoteId: string, signal: AbortSignal): AsyncIterable<RelayStatus>
}
