import type { BookedPool, PoolBooks } from '../../pool/book/pool-books.ts'
import type { QuoteState } from '../../../db/transact/quotes.ts'
import type { ToldSpend } from '../../pool/book/book-content.ts'

/** A reported spend with the pool of its book. */
export interface FoundSpend {
  pool: BookedPool
  spend: ToldSpend
}

/** Finds the reported spend of that id, in any pool; null if the account has none. */
export async function findSpend(
  books: Pick<PoolBooks, 'readAll'>,
  accountId: string,
  quoteId: string,
): Promise<FoundSpend | null> {
  for (const { pool, book } of await books.readAll(accountId)) {
    const spend = book.content.spends.find(({ id }) => id === quoteId)
    if (spend) return { pool, spend }
  }
  return null
}

/** Returns the state of a spend, without regard to the clock. The chain alone shows the end of a submitted one. */
export const stateOf = (spend: ToldSpend): Extract<QuoteState, 'locked' | 'submitted' | 'unlocked'> =>
  isSubmitted(spend) ? 'submitted' : spend.isUnlocked ? 'unlocked' : 'locked'

/** True if the client reported the hashes of the spend's withdrawals. */
export const isSubmitted = ({ parts }: ToldSpend): boolean => parts.every(({ spentBy }) => spentBy !== null)
