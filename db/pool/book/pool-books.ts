import type { CommonQueryMethods, DatabasePool } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../../account-table.ts'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import type { SealedColumn } from '../../sealed-column.ts'

/** How an account's erasure and export treat the table. */
export const poolBookTable = byAccount('pool_book', ['sealed', 'master_key_id', 'token'])

/** Rewrapped under a new master key by rewrap-keys. */
export const sealedBook: SealedColumn = {
  table: 'pool_book',
  key: 'token',
  bytes: 'sealed',
  about: sql.fragment`account_id || ':' || chain_id || ':' || pool`,
}

/** Names the book of one account about one pool. */
export interface BookKey {
  accountId: string
  chainId: number
  /** Checksummed. */
  pool: string
}

const bookRow = z.object({
  chainId: smallInteger,
  pool: hexText,
  bytes: z.instanceof(Buffer),
  masterKeyId: z.string(),
  token: z.string(),
})
/** A sealed book. `token` identifies the version that was read. */
export type BookRow = z.output<typeof bookRow>

const columns = sql.fragment`chain_id as "chainId", pool, sealed as bytes, master_key_id as "masterKeyId", token`

/** The book of an account about a pool; null while the client has reported nothing. */
export function findBook(
  connection: CommonQueryMethods,
  { accountId, chainId, pool }: BookKey,
): Promise<BookRow | null> {
  return connection.maybeOne(sql.type(bookRow)`
    select ${columns} from pool_book
    where account_id = ${accountId}::uuid and chain_id = ${chainId} and pool = ${pool}`)
}

/** All books of an account. */
export function listBooks(connection: CommonQueryMethods, accountId: string): Promise<readonly BookRow[]> {
  return connection.any(sql.type(bookRow)`
    select ${columns} from pool_book where account_id = ${accountId}::uuid order by chain_id, pool`)
}

/**
 * Replaces the version from which a book was made; `token` null where there was none.
 * @returns False when another writer was faster: read the book again.
 */
export async function replaceBook(
  connection: CommonQueryMethods,
  { accountId, chainId, pool }: BookKey,
  token: string | null,
  { bytes, masterKeyId }: { bytes: Buffer; masterKeyId: string },
): Promise<boolean> {
  const { rowCount } = await connection.query(
    token === null
      ? sql.typeAlias('void')`
          insert into pool_book (account_id, chain_id, pool, sealed, master_key_id, token)
          values (${accountId}::uuid, ${chainId}, ${pool}, ${sql.binary(bytes)}, ${masterKeyId}, gen_random_uuid())
          on conflict do nothing`
      : sql.typeAlias('void')`
          update pool_book set sealed = ${sql.binary(bytes)}, master_key_id = ${masterKeyId}, token = gen_random_uuid()
          where account_id = ${accountId}::uuid and chain_id = ${chainId} and pool = ${pool} and token = ${token}::uuid`,
  )
  return rowCount === 1
}

/**
 * Rewrites a book together with up to 32 random others, unchanged and in random order. Afterwards neither transaction
 * ids nor positions in the table reveal the changed book or the order of changes. Skips books that are being changed.
 */
export async function mixBooks(
  connection: DatabasePool,
  { accountId, chainId, pool }: BookKey,
): Promise<void> {
  await connection.transaction(async (transaction) => {
    // Serialized: concurrent runs would skip each other's books.
    await transaction.query(sql.typeAlias('void')`select from pg_advisory_xact_lock(7236514992)`)
    await transaction.query(sql.typeAlias('void')`
      with start as materialized (select gen_random_uuid() as token),
      drawn as (
        (select token from pool_book where token >= (select token from start) order by token limit 16)
        union (select token from pool_book where token < (select token from start) order by token desc limit 16)
        union select token from pool_book
        where account_id = ${accountId}::uuid and chain_id = ${chainId} and pool = ${pool}
      ), held as materialized (
        -- An account that is being erased is left out as well: its row is not waited for.
        select pool_book.token from pool_book join account on account.id = pool_book.account_id
        where pool_book.token in (select token from drawn)
        for update of pool_book skip locked for key share of account skip locked
      ), taken as (
        delete from pool_book where token in (select token from held) returning *
      )
      insert into pool_book (account_id, chain_id, pool, sealed, master_key_id, token)
      select account_id, chain_id, pool, sealed, master_key_id, token from taken order by random()`)
  })
}
