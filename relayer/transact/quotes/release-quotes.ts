import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import { mayWrite } from '../../../db/refuse-writes.ts'
import { endLockedQuote, lockExpiredQuotes, lockQuote } from '../../../db/transact/quotes.ts'
import {
  findEnded,
  listIndexedBlocks,
  listSpentAddresses,
  releaseReservations,
  releaseSpent,
} from '../../../db/transact/reservations.ts'
import { reasonOf, runContained } from '../../concurrency/run-contained.ts'
import { quoteStep } from './quote-machine.ts'

const BATCH = 100

/**
 * Releases the funds that a quote has locked. Does nothing for a quote that no longer locks any.
 * @returns False for an unknown quote.
 * @throws ServiceError `bad-request` QUOTE_SUBMITTED once it was submitted.
 */
export function unlockQuote(database: DatabasePool, accountId: string, quoteId: string): Promise<boolean> {
  return database.transaction(async (connection) => {
    const quote = await lockQuote(connection, accountId, quoteId)
    if (!quote) return false
    const { to, effect } = quoteStep(quote.status, 'unlock')
    if (effect !== 'release-funds') return true
    await endLockedQuote(connection, quoteId, to)
    await releaseReservations(connection, [quoteId])
    return true
  })
}

/** Releases the locks of funds that were spent up to a chain's indexed block, for all accounts. Queries call it too. */
export async function releaseSpentOn(database: DatabasePool, chainId: number, logger: Logger): Promise<void> {
  const indexed = await listIndexedBlocks(database)
  const head = indexed.find((one) => one.chainId === chainId)
  if (head) await mayWrite(() => releaseSpentUpTo(database, head, logger))
}

/** Ends expired quotes and releases the locks of spent funds; instances share the work. */
export async function releaseEnded(database: DatabasePool, logger: Logger): Promise<void> {
  const due = await findEnded(database)
  if (due.hasExpired) await endExpired(database, logger)
  for (const head of due.spentOn) await releaseSpentUpTo(database, head, logger)
}

async function endExpired(database: DatabasePool, logger: Logger): Promise<void> {
  const { to } = quoteStep('locked', 'run-out')
  const failed: string[] = []
  for (let found = BATCH; found === BATCH;) {
    found = await database.transaction(async (connection) => {
      const expired = await lockExpiredQuotes(connection, BATCH, failed)
      const end = (quoteIds: readonly string[]) =>
        connection.transaction(async (savepoint): Promise<readonly never[]> => {
          for (const quoteId of quoteIds) await endLockedQuote(savepoint, quoteId, to)
          await releaseReservations(savepoint, quoteIds)
          return []
        })
      await runContained(end, expired, (error, quoteId) => {
        failed.push(quoteId)
        logger.error({ quoteId, reason: reasonOf(error) }, 'an expired quote could not be ended')
      })
      return expired.length
    })
  }
}

/** Releases all addresses of a chain in one transaction. If that fails, only the failing addresses are skipped. */
async function releaseSpentUpTo(
  database: DatabasePool,
  { chainId, blockNumber }: { chainId: number; blockNumber: bigint },
  logger: Logger,
): Promise<void> {
  const release = (among?: readonly string[]) =>
    database.transaction(async (connection): Promise<readonly never[]> => {
      await releaseSpent(connection, chainId, blockNumber, among)
      return []
    })
  try {
    await release()
  } catch {
    const addresses = await listSpentAddresses(database, chainId, blockNumber)
    await runContained(release, addresses, (error) =>
      logger.error({ chainId, reason: reasonOf(error) }, 'spent funds of an address stay locked'),
    )
  }
}
