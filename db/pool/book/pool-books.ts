import type { CommonQueryMethods } from 'slonik'
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
