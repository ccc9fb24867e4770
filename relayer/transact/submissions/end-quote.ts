import type { DatabaseTransactionConnection } from 'slonik'
import { endSubmittedQuote, readIntentStates } from '../../../db/transact/intents-end.ts'
import { markSpent, releaseReservations } from '../../../db/transact/reservations.ts'
import { kindOf } from '../kinds/quote-kinds.ts'

/** An intent that was executed: what its address had promised is spent. */
export interface Spending {
  quoteId: string
  eoa: string
  blockNumber: bigint
}

/**
 * Ends quotes after their intents ended, in the same database transaction and with the quotes locked: it records what
 * was spent, ends each quote without an intent under way, releases once what it reserved and did not spend, and lets
 * its kind book a confirmed quote.
 */
export async function endQuotes(
  transaction: DatabaseTransactionConnection,
  quoteIds: readonly string[],
  spendings: readonly Spending[],
): Promise<void> {
  for (const { quoteId, eoa, blockNumber } of spendings)
    await markSpent(transaction, quoteId, blockNumber, [eoa])
  for (const quoteId of quoteIds) {
    const states = await readIntentStates(transaction, quoteId)
    if (states.some(({ status }) => status === 'queued' || status === 'batched')) continue
    const failed = states.filter(({ status }) => status === 'failed')
    const failure = describeFailure(failed, states.length)
    const ended = await endSubmittedQuote(transaction, quoteId, failure)
    if (!ended) continue
    await releaseReservations(transaction, quoteId)
    if (!failure) await kindOf(ended.kind).confirmed(transaction, { quoteId, ...ended })
  }
}

/** Failed intents are named by their place, because their addresses must not be shown together. */
function describeFailure(
  failed: readonly { place: number; error: string | null }[],
  count: number,
): { code: string; text: string } | null {
  if (failed.length === 0) return null
  const reasons = failed.map(({ place, error }) => `intents[${place}]: ${error ?? 'not executed'}`)
  return {
    code: failed.length < count ? 'PARTIALLY_EXECUTED' : 'NOT_EXECUTED',
    text: `${failed.length} of ${count} failed; ${reasons.join('; ')}`,
  }
}
