import type { Keeper, RelayStatus, SpendSubmission, SubmitAnswer } from '../transact.ts'
import type { MaxSpendRequest, SpendRequest } from '../kinds/spend-request.ts'

/**
 * Spends from pools that the wallet reports, so that its notes are locked and the spend is shown. The service sends
 * nothing: the wallet requests each withdrawal from the public relayer, without its token. The recipient is checked and
 * not stored. A spend is never refreshed.
 */
export interface PoolSpending extends Keeper<SpendRequest, MaxSpendRequest> {
  /**
   * Stores the hashes that identify the withdrawals on the chain. Repeating the same submission is no error.
   *
   * @throws ServiceError `not-found`; `bad-request` QUOTE_EXPIRED, QUOTE_MISMATCH, NOTE_SPENT.
   */
  submit(accountId: string, submission: SpendSubmission): Promise<SubmitAnswer>
  /** Returns the status of the spend, as the chain shows it; null for an unknown one. */
  relayStatus(accountId: string, quoteId: string): Promise<RelayStatus | null>
}
