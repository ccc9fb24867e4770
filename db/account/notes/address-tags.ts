import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { byAccount } from '../../account-table.ts'

/** How an account's erasure and export treat the table. */
export const addressTagTable = byAccount('address_tag')

const tagRow = z.object({
  address: z.string(),
  ciphertext: z.string(),
  /** Equal for tags of one label; null where the client gave none. */
  labelKey: z.string().nullable(),
  updatedAt: z.date(),
})

/** A tag on one of the account's own addresses, encrypted by the client. */
export type AddressTagRow = z.output<typeof tagRow>

const columns = sql.fragment`address, ciphertext, label_key as "labelKey", updated_at as "updatedAt"`

/** All tags, the last changed first. */
export function listTags(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<readonly AddressTagRow[]> {
  return connection.any(sql.type(tagRow)`
    select ${columns} from address_tag where account_id = ${accountId} order by updated_at desc, address`)
}

/**
 * Locks the account's tags until the transaction ends.
 * @returns Total characters of its tags on other addresses.
 */
export async function lockTags(
  transaction: CommonQueryMethods,
  accountId: string,
  address: string,
): Promise<number> {
  await transaction.query(sql.typeAlias('void')`
    select from account where id = ${accountId} for no key update`)
  return transaction.oneFirst(sql.type(z.object({ others: z.int() }))`
    select coalesce(sum(length(ciphertext)), 0)::int4 as others from address_tag
    where account_id = ${accountId} and address <> ${address}`)
}

/** Writes or replaces the account's tag of an address, its label's key included. */
export function writeTag(
  connection: CommonQueryMethods,
  accountId: string,
  address: string,
  ciphertext: string,
  labelKey: string | null = null,
): Promise<AddressTagRow> {
  return connection.one(sql.type(tagRow)`
    insert into address_tag (account_id, address, ciphertext, label_key)
    values (${accountId}, ${address}, ${ciphertext}, ${labelKey})
    on conflict (account_id, address) do update
    set ciphertext = excluded.ciphertext, label_key = excluded.label_key, updated_at = now()
    returning ${columns}`)
}

/** Deletes the account's tag of an address, if there is one. */
export async function removeTag(
  connection: CommonQueryMethods,
  accountId: string,
  address: string,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    delete from address_tag where account_id = ${accountId} and address = ${address}`)
}
