import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import type { SealedBytes } from './accounts.ts'
import { byAccount } from '../../account-table.ts'
import type { SealedColumn } from '../../sealed-column.ts'

/** How an account's erasure and export treat the table. */
export const contactEmailTable = byAccount('contact_email', ['sealed_email', 'master_key_id'])

/** Rewrapped under a new master key by rewrap-keys. */
export const sealedEmail: SealedColumn = {
  table: 'contact_email',
  key: 'account_id',
  bytes: 'sealed_email',
  about: sql.fragment`account_id::text`,
}

const emailRow = z.object({ bytes: z.instanceof(Buffer), masterKeyId: z.string() })

/** The account's sealed contact email, or null. */
export function findContactEmail(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<SealedBytes | null> {
  return connection.maybeOne(sql.type(emailRow)`
    select sealed_email as bytes, master_key_id as "masterKeyId"
    from contact_email where account_id = ${accountId}`)
}

/** Writes or replaces the account's sealed contact email. */
export async function saveContactEmail(
  connection: CommonQueryMethods,
  accountId: string,
  { bytes, masterKeyId }: SealedBytes,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    insert into contact_email (account_id, sealed_email, master_key_id)
    values (${accountId}, ${sql.binary(bytes)}, ${masterKeyId})
    on conflict (account_id) do update set sealed_email = excluded.sealed_email,
      master_key_id = excluded.master_key_id, updated_at = now()`)
}

/** Deletes the account's contact email, if it has one. */
export async function deleteContactEmail(connection: CommonQueryMethods, accountId: string): Promise<void> {
  await connection.query(sql.typeAlias('void')`delete from contact_email where account_id = ${accountId}`)
}
