import type { DatabaseTransactionConnection, DatabasePool } from 'slonik'
import type { Logger } from 'pino'
import {
  endSubmittedQuotes,
  listIntentStates,
  type Ending,
  type Ended,
  insertUnbookedEarning,
  listDueEarnings,
  postponeEarning,
  takeDueEarning,
} from '../../../db/transact/intents-end.ts'
import { markSpent, releaseReservations, type Spending } from '../../../db/transact/reservations.ts'
import { quoteStep } from '../quotes/quote-machine.ts'
import { bookReferralEarning } from '../../account/referrals/book-referral-earning.ts'
import { reasonOf, runContained } from '../../concurrency/run-contained.ts'

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
  const ends = [...states].flatMap(([quoteId, intents]): Ending[] => {
    if (intents.some(({ status }) => status === 'queued' || status === 'batched')) return []
    const failed = intents.filter(({ status }) => status === 'failed')
    const { to } = quoteStep('submitted', failed.length > 0 ? 'some-failed' : 'all-executed')
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

/** First wait before a share that could not be booked is retried; each wait is twice the previous one. */
const RETRY_MS = 30_000
const LONGEST_RETRY_MS = 21_600_000
/** Most shares that one round retries. */
const LOOK = 100

/**
 * Books the referrers' shares of ended quotes, in the transaction that ends them. A share that cannot be booked is recorded
 * instead, because it must not keep a quote from ending.
 */
async function bookEarnings(
  transaction: DatabaseTransactionConnection,
  ended: readonly Ended[],
  logger: Logger,
): Promise<void> {
  const book = (quotes: readonly Ended[]) =>
    transaction.transaction(async (savepoint): Promise<readonly never[]> => {
      for (const quote of quotes) await bookReferralEarning(savepoint, quote)
      return []
    })
  // The issuer of an unlisted token could be its own referrer.
  const paid = ended.filter(({ serviceFee, feeListed }) => serviceFee > 0n && feeListed)
  await runContained(book, paid, async (error, { quoteId, serviceFee, serviceFeeUsdMicros }) => {
    const reason = reasonOf(error)
    logUnbooked(logger, quoteId, reason)
    const fee = { serviceFee, serviceFeeUsdMicros }
    await insertUnbookedEarning(transaction, { quoteId, ...fee, reason, delayMs: RETRY_MS })
  })
}

/** Retries the due shares; instances share the work. */
export async function retryEarnings(database: DatabasePool, logger: Logger): Promise<void> {
  for (const quoteId of await listDueEarnings(database, LOOK))
    try {
      await database.transaction(async (transaction) => {
        const due = await takeDueEarning(transaction, quoteId)
        if (due) await bookReferralEarning(transaction, due)
      })
    } catch (error) {
      const reason = reasonOf(error)
      logUnbooked(logger, quoteId, reason)
      await postponeEarning(database, quoteId, { reason, delayMs: RETRY_MS, mostMs: LONGEST_RETRY_MS })
    }
}

function logUnbooked(logger: Logger, quoteId: string, reason: string): void {
  logger.error({ quoteId, reason }, 'the share of a referrer could not be booked; tried again later')
}
