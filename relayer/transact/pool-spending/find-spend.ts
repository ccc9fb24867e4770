import type { BookedPool, PoolBooks } from '../../pool/book/pool-books.ts'
import type { ToldSpend } from '../../pool/book/book-content.ts'

/** A told spend with the pool whose book has it. */
export interface FoundSpend {
  pool: BookedPool
  spend: ToldSpend
}

/** The told spend of that id, in whatever pool; null where the account has none. */
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

/** Whether the hashes of a spend's withdrawals were told. */
export const isSubmitted = ({ parts }: ToldSpend): boolean => parts.every(({ spentBy }) => spentBy !== null)
