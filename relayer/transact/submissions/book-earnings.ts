import type { Logger } from 'pino'
import type { DatabasePool, DatabaseTransactionConnection } from 'slonik'
import type { EndedQuote } from '../../../db/transact/intents-end.ts'
import {
  insertUnbookedEarning,
  listDueEarnings,
  postponeEarning,
  takeDueEarning,
} from '../../../db/transact/unbooked-earnings.ts'
import { bookReferralEarning } from '../../account/referrals/book-referral-earning.ts'
import { reasonOf, runContained } from '../../concurrency/run-contained.ts'

/** First wait before a share that could not be booked is retried; each wait is twice the previous one. */
const RETRY_MS = 30_000
const LONGEST_RETRY_MS = 21_600_000
/** Most shares that one round retries. */
const LOOK = 100

/**
 * Books the referrers' shares of ended quotes, in the transaction that ends them. A share that cannot be booked is recorded
 * instead, because it must not keep a quote from ending.
 */
export async function bookEarnings(
  transaction: DatabaseTransactionConnection,
  ended: readonly EndedQuote[],
  logger: Logger,
): Promise<void> {
  const book = (quotes: readonly EndedQuote[]) =>
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
