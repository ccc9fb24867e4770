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

/** Until a share that could not be booked is tried again; each wait is twice the one before. */
const RETRY_MS = 30_000
const LONGEST_RETRY_MS = 21_600_000
/** Shares that one look tries again. */
const LOOK = 100

/**
 * Books the referrers' shares of ended quotes, in the transaction that ends them. A share that cannot be booked is noted
 * instead, because it must not keep anybody's quote from ending.
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
  // The issuer of a token that nobody lists could refer itself.
  const paid = ended.filter(({ serviceFee, feeListed }) => serviceFee > 0n && feeListed)
  await runContained(book, paid, async (error, { quoteId, serviceFee, serviceFeeUsdMicros }) => {
    const reason = reasonOf(error)
    logUnbooked(logger, quoteId, reason)
    const fee = { serviceFee, serviceFeeUsdMicros }
    await insertUnbookedEarning(transaction, { quoteId, ...fee, reason, delayMs: RETRY_MS })
  })
}

/** Books the shares whose time to be tried again has come; instances share the work. */
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
