import type { CommonQueryMethods } from 'slonik'
import type { Book } from './settle-book.ts'
import type { BookContent } from './book-content.ts'

/** Identifies a pool. */
export interface BookedPool {
  chainId: number
  /** Checksummed. */
  address: string
}

/** The accounts' reports about their notes, settled against the chain. */
export interface PoolBooks {
  /** Reads an account's book of a pool; empty if the account reported nothing. */
  read(accountId: string, pool: BookedPool): Promise<Book>
  /** Reads all books of an account. */
  readAll(accountId: string): Promise<readonly { pool: BookedPool; book: Book }[]>
  /**
   * Rewrites a book. Concurrent changes of one book are made one after the other, each from the result of the one
   * before.
   *
   * @param write Returns the new content (null keeps the old) and a result. Called again after a concurrent change.
   * Its writes by the given connection are in the same transaction.
   * @throws ServiceError `unavailable` SERVER_BUSY if concurrent changes overtook it every time.
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
