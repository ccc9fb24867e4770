import type { DatabaseTransactionConnection } from 'slonik'
import type { Logger } from 'pino'
import { endSubmittedQuotes, listIntentStates, type QuoteEnd } from '../../../db/transact/intents-end.ts'
import { markSpent, releaseReservations, type Spending } from '../../../db/transact/reservations.ts'
import { step } from '../quotes/quote-machine.ts'
import { bookEarnings } from './book-earnings.ts'

/**
 * Ends quotes after their intents ended, in the same database transaction and with the quotes locked. It records the
 * spent amounts and ends each quote without a pending intent. Funds that were reserved and not spent are released once.
 * It books the referrers' shares of the paid fees.
 */
export async function endQuotes(
  transaction: DatabaseTransactionConnection,
  quoteIds: readonly string[],
  spendings: readonly Spending[],
  logger: Logger,
): Promise<void> {
  await markSpent(transaction, spendings)
  const states = Map.groupBy(await listIntentStates(transaction, quoteIds), ({ quoteId }) => quoteId)
  const ends = [...states].flatMap(([quoteId, intents]): QuoteEnd[] => {
    if (intents.some(({ status }) => status === 'queued' || status === 'batched')) return []
    const failed = intents.filter(({ status }) => status === 'failed')
    const { to } = step('submitted', failed.length > 0 ? 'some-failed' : 'all-executed')
    return [{ quoteId, state: to, failure: describeFailure(failed, intents.length) }]
  })
  const ended = await endSubmittedQuotes(transaction, ends)
  const failures = new Set(ends.flatMap(({ quoteId, failure }) => (failure ? quoteId : [])))
  // Every intent has a reservation: if all succeeded, all is spent.
  const failed = ended.flatMap(({ quoteId }) => (failures.has(quoteId) ? quoteId : []))
  if (failed.length > 0) await releaseReservations(transaction, failed)
  await bookEarnings(transaction, ended, logger)
}

/** Failed intents are named by their position, because their addresses must not be shown together. */
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
