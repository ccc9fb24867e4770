import type { CommonQueryMethods, DatabasePool } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../../account-table.ts'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import type { SealedColumn } from '../../sealed-column.ts'

/** What an account's erasure and export make of it. */
export const poolBookTable = byAccount('pool_book', ['sealed', 'master_key_id', 'token'])

/** Brought under a new master key by rewrap-keys. */
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
/** A sealed book. `token` names the version that was read. */
export type BookRow = z.output<typeof bookRow>

const columns = sql.fragment`chain_id as "chainId", pool, sealed as bytes, master_key_id as "masterKeyId", token`

/** The book of an account about a pool; null while nothing was told. */
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
 * Writes a book over the version that it was made from; `token` null where there was none.
 * @returns False when somebody else was faster: it is to be read again.
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
 * Writes a book anew among up to 32 others that are drawn at random, unchanged and in random order: afterwards neither their
 * transaction id nor their place in the table tells which of them was changed, or in which order. Books that somebody
 * changes right now are left out.
 */
export async function mixBooks(
  connection: DatabasePool,
  { accountId, chainId, pool }: BookKey,
): Promise<void> {
  await connection.transaction(async (transaction) => {
    // Two that meet would leave out each other's books.
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
