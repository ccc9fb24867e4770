import type { CommonQueryMethods } from 'slonik'
import type { Book } from './settle-book.ts'
import type { BookContent } from './book-content.ts'

/** Names a pool. */
export interface BookedPool {
  chainId: number
  /** Checksummed. */
  address: string
}

/** What accounts told of their notes, held against the chain. */
export interface PoolBooks {
  /** The book of an account about a pool; an empty one while nothing was told. */
  read(accountId: string, pool: BookedPool): Promise<Book>
  /** All books of an account. */
  readAll(accountId: string): Promise<readonly { pool: BookedPool; book: Book }[]>
  /**
   * Writes a book anew. Changes of one book that meet are made one after the other, each from what the one before wrote.
   *
   * @param write Gives the new content, or null to leave it, and a result; called again when somebody was faster. What it
   * writes by its connection is in the same transaction.
   * @throws ServiceError `unavailable` SERVER_BUSY when others were faster again and again.
   */
  change<Result>(
    accountId: string,
    pool: BookedPool,
    write: (
      book: Book,
      transaction: CommonQueryMethods,
    ) => Promise<{ content: BookContent | null; result: Result }>,
  ): Promise<Result>
}
