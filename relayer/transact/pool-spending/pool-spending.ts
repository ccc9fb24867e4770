import type { Address } from 'viem'
import type { KeepAnswer } from '../../keep-answer.ts'
import type { MaxSpendable, Quote, RelayStatus } from '../transact.ts'
import type { SpendRequest } from './spend-request.ts'

/** What spends a note: public once the withdrawal is on chain. */
export interface ToldWithdrawal {
  /** Of the quote. */
  commitmentId: string
  nullifierHash: bigint
  newCommitment: bigint
}

/** A told spend with the hashes of its withdrawals. */
export interface SpendSubmission {
  quoteId: string
  withdrawals: readonly ToldWithdrawal[]
}

/**
 * Spending from pools that the wallet tells of, so that its notes are locked and the spend is shown. The service sends
 * nothing for it: the wallet has each withdrawal relayed without its token, like everybody. Every accountId here has been
 * checked to be the caller's.
 */
export interface PoolSpending {
  /**
   * Plans which notes pay, and locks them. The recipient is checked and not kept.
   *
   * @param keepAnswer Runs in the transaction that locks.
   * @throws ServiceError with a code and the members that go with it; nothing is locked then.
   */
  create(accountId: string, request: SpendRequest, keepAnswer?: KeepAnswer<Quote>): Promise<Quote>
  /**
   * The most that one spend can pay after relay fees; zero where no note can pay. Locks nothing.
   *
   * @throws ServiceError POOL_NOT_FOUND, POOL_STATE_REFRESHING.
   */
  maxSpendable(accountId: string, request: { chainId: number; token: Address }): Promise<MaxSpendable>
  /** Whether the account has a told spend of that id. */
  has(accountId: string, quoteId: string): Promise<boolean>
  /**
   * Takes the hashes by which the withdrawals can be found on chain. The same again is no error.
   *
   * @throws ServiceError `not-found`; `bad-request` QUOTE_EXPIRED, QUOTE_MISMATCH, NOTE_SPENT.
   */
  submit(accountId: string, submission: SpendSubmission): Promise<void>
  /** Frees the notes. Again is no error. @throws ServiceError `not-found`; `bad-request` QUOTE_SUBMITTED. */
  unlock(accountId: string, quoteId: string): Promise<void>
  /** How far it is, by what the chain shows. @throws ServiceError `not-found`. */
  relayStatus(accountId: string, quoteId: string): Promise<RelayStatus>
  /**
   * The present status, then each change, until the spend has ended or the signal is aborted.
   *
   * @throws ServiceError `not-found`.
   */
  follow(accountId: string, quoteId: string, signal: AbortSignal): AsyncIterable<RelayStatus>
}
