import type { Address } from 'viem'
import type { KeepAnswer } from '../../keep-answer.ts'
import type { MaxSpendable, Quote, RelayStatus } from '../transact.ts'
import type { SpendRequest } from './spend-request.ts'

/** Hashes of a withdrawal that spends a note: public once the withdrawal is on the chain. */
export interface ToldWithdrawal {
  /** Names the note, as in the quote. */
  commitmentId: string
  nullifierHash: bigint
  newCommitment: bigint
}

/** A reported spend with the hashes of its withdrawals. */
export interface SpendSubmission {
  quoteId: string
  withdrawals: readonly ToldWithdrawal[]
}

/**
 * Spends from pools that the wallet reports, so that its notes are locked and the spend is shown. The service sends
 * nothing: the wallet requests each withdrawal from the public relayer, without its token. Callers have checked that
 * every accountId is the caller's own.
 */
export interface PoolSpending {
  /**
   * Plans the notes of a spend, and locks them. The recipient is checked and not stored.
   *
   * @param keepAnswer Runs in the transaction that locks.
   * @throws ServiceError with a code and the members that go with it; nothing is locked then.
   */
  create(accountId: string, request: SpendRequest, keepAnswer?: KeepAnswer<Quote>): Promise<Quote>
  /**
   * Returns the most that one spend can pay after relay fees; zero if no note can pay. Locks nothing.
   *
   * @throws ServiceError POOL_NOT_FOUND, POOL_STATE_REFRESHING.
   */
  maxSpendable(accountId: string, request: { chainId: number; token: Address }): Promise<MaxSpendable>
  /** True if the account has a reported spend of that id. */
  has(accountId: string, quoteId: string): Promise<boolean>
  /**
   * Stores the hashes that identify the withdrawals on the chain. Repeating the same submission is no error.
   *
   * @throws ServiceError `not-found`; `bad-request` QUOTE_EXPIRED, QUOTE_MISMATCH, NOTE_SPENT.
   */
  submit(accountId: string, submission: SpendSubmission): Promise<void>
  /** Releases the notes. Repeating it is no error. @throws ServiceError `not-found`; `bad-request` QUOTE_SUBMITTED. */
  unlock(accountId: string, quoteId: string): Promise<void>
  /** Returns the status of the spend, as the chain shows it. @throws ServiceError `not-found`. */
  relayStatus(accountId: string, quoteId: string): Promise<RelayStatus>
  /**
   * Yields the present status, then each change, until the spend has ended or the signal is aborted.
   *
   * @throws ServiceError `not-found`.
   */
  follow(accountId: string, quoteId: string, signal: AbortSignal): AsyncIterable<RelayStatus>
}
