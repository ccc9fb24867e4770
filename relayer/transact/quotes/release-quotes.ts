import type { DatabasePool } from 'slonik'
import { endLockedQuote, lockExpiredQuotes, lockQuote } from '../../../db/transact/quotes.ts'
import {
  findEnded,
  listIndexedBlocks,
  releaseReservations,
  releaseSpent,
} from '../../../db/transact/reservations.ts'
import { quoteNotFound, quoteSubmitted } from '../errors.ts'

const BATCH = 100

/**
 * Gives back what a quote has locked. For one that locks nothing any more it does nothing.
 * @throws ServiceError `not-found`; `bad-request` QUOTE_SUBMITTED once it was submitted.
 */
export function unlockQuote(database: DatabasePool, accountId: string, quoteId: string): Promise<void> {
  return database.transaction(async (connection) => {
    const quote = await lockQuote(connection, accountId, quoteId)
    if (!quote) throw quoteNotFound()
    if (quote.status === 'submitted' || quote.status === 'confirmed' || quote.status === 'failed')
      throw quoteSubmitted()
    if (!(await endLockedQuote(connection, quoteId, 'unlocked'))) return
    await releaseReservations(connection, [quoteId])
  })
}

/** Ends the locks of funds that were spent up to the block to which a chain is indexed. */
export async function releaseSpentOn(database: DatabasePool, chainId: number): Promise<void> {
  const indexed = await listIndexedBlocks(database)
  const head = indexed.find((one) => one.chainId === chainId)
  if (head) await database.transaction((connection) => releaseSpent(connection, chainId, head.blockNumber))
}

/** Ends expired quotes and the locks of spent funds; instances share the work. */
export async function releaseEnded(database: DatabasePool): Promise<void> {
  const due = await findEnded(database)
  if (due.hasExpired) await endExpired(database)
  for (const { chainId, blockNumber } of due.spentOn)
    await database.transaction((connection) => releaseSpent(connection, chainId, blockNumber))
}

async function endExpired(database: DatabasePool): Promise<void> {
  for (let ended = BATCH; ended === BATCH;) {
    ended = await database.transaction(async (connection) => {
      const expired = await lockExpiredQuotes(connection, BATCH)
      for (const quoteId of expired) await endLockedQuote(connection, quoteId, 'expired')
      if (expired.length > 0) await releaseReservations(connection, expired)
      return expired.length
    })
  }
}
