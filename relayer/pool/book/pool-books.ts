import type { CommonQueryMethods, DatabasePool } from 'slonik'
import { type Book, nullifierHashesOf, settleBook } from './settle-book.ts'
import { type BookContent, decodeBook, EMPTY_BOOK, encodeBook } from './book-content.ts'
import { listSpentNotes, readOwnDeposits } from '../../../db/pool/book/note-progress.ts'
import { findBook, listBooks, mixBooks, replaceBook, type BookRow } from '../../../db/pool/book/pool-books.ts'
import { serverBusy } from '../../errors.ts'
import { type Vault, bookOwner } from '../../identity/vault.ts'

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

/** The notes of accounts: the database has what the chain shows, the books what accounts reported. */
export interface NoteSources {
  database: CommonQueryMethods
  books: PoolBooks
}

/** Maximum of attempts at a change that concurrent changes overtake. */
const ATTEMPTS = 10

/** Creates the books over PostgreSQL, sealed by the vault. */
export function createPoolBooks(database: DatabasePool, vault: Vault): PoolBooks {
  const ownerOf = (accountId: string, { chainId, address }: BookedPool) =>
    bookOwner(`${accountId}:${chainId}:${address}`)

  async function open(accountId: string, pool: BookedPool, row: BookRow | null): Promise<BookContent> {
    return row ? decodeBook(await vault.open(ownerOf(accountId, pool), row)) : EMPTY_BOOK
  }

  return {
    async read(accountId, pool) {
      const row = await findBook(database, { accountId, chainId: pool.chainId, pool: pool.address })
      return settle(database, accountId, pool, await open(accountId, pool, row))
    },
    async readAll(accountId) {
      const rows = await listBooks(database, accountId)
      return Promise.all(
        rows.map(async (row) => {
          const pool = { chainId: row.chainId, address: row.pool }
          return { pool, book: await settle(database, accountId, pool, await open(accountId, pool, row)) }
        }),
      )
    },
    async change(accountId, pool, write) {
      const key = { accountId, chainId: pool.chainId, pool: pool.address }
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const done = await database
          .transaction(async (transaction) => {
            const row = await findBook(transaction, key)
            const book = await settle(transaction, accountId, pool, await open(accountId, pool, row))
            const { content, result } = await write(book, transaction)
            if (content === null) return { result, isChanged: false }
            const sealed = await vault.seal(ownerOf(accountId, pool), encodeBook(content))
            if (await replaceBook(transaction, key, row?.token ?? null, sealed))
              return { result, isChanged: true }
            throw new OvertakenError()
          })
          .catch((error: unknown) => {
            if (error instanceof OvertakenError) return null
            throw error
          })
        if (done?.isChanged) await mixBooks(database, key)
        if (done) return done.result
      }
      throw serverBusy('Other requests change the notes of this pool; try again in a moment')
    },
  }
}

/** Settles the reported spends of a book against the notes that the chain shows as spent. */
async function settle(
  connection: CommonQueryMethods,
  accountId: string,
  pool: BookedPool,
  content: BookContent,
): Promise<Book> {
  if (content.spends.length === 0 && content.settled.length === 0)
    return { content, notes: new Map(), locked: new Map() }
  const key = { chainId: pool.chainId, pool: pool.address }
  const [deposits, spent] = await Promise.all([
    readOwnDeposits(connection, accountId, key),
    listSpentNotes(connection, key, nullifierHashesOf(content)),
  ])
  return settleBook(content, {
    deposits,
    spent: new Map(spent.map((note) => [note.nullifierHash, note])),
    now: Date.now(),
  })
}

/** Another request wrote the book between read and write: the transaction is rolled back. */
class OvertakenError extends Error {
  override name = 'OvertakenError'
}
