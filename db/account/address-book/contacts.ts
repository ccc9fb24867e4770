import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { byAccount } from '../../account-table.ts'

/** How an account's erasure and export treat the tables. */
export const addressBookTables = [byAccount('contact'), byAccount('address_book')]

const contactRow = z.object({
  address: z.string(),
  name: z.string(),
  signedAt: z.date(),
  lastUsedAt: z.date().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
})

/** A contact; its address is checksummed text. */
export type ContactRow = z.output<typeof contactRow>

const columns = sql.fragment`
  address, name, signed_at as "signedAt", last_used_at as "lastUsedAt", created_at as "createdAt",
  updated_at as "updatedAt"`

/** All contacts, the most recently used first, then the unused ones from the newest. */
export function listContacts(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<readonly ContactRow[]> {
  return connection.any(sql.type(contactRow)`
    select ${columns} from contact where account_id = ${accountId}
    order by last_used_at desc nulls last, created_at desc, address`)
}

const floorRow = z.object({ signedFloor: z.date().nullable() })

/**
 * Opens and locks an account's address book until the transaction ends.
 * @returns The newest signature time among deleted contacts (null when none was deleted), and the number of contacts.
 */
export async function lockAddressBook(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<{ signedFloor: Date | null; contacts: number }> {
  await connection.query(sql.typeAlias('void')`
    insert into address_book (account_id) values (${accountId}) on conflict do nothing`)
  const { signedFloor } = await connection.one(sql.type(floorRow)`
    select nullif(signed_floor, '-infinity') as "signedFloor"
    from address_book where account_id = ${accountId} for update`)
  // A statement of its own sees the contacts that were committed while the one above waited for the lock.
  const contacts = await connection.oneFirst(sql.type(z.object({ count: z.int() }))`
    select count(*)::int4 as count from contact where account_id = ${accountId}`)
  return { signedFloor, contacts }
}

/** The account's contact at this address, or null. */
export function findContact(
  connection: CommonQueryMethods,
  accountId: string,
  address: string,
): Promise<ContactRow | null> {
  return connection.maybeOne(sql.type(contactRow)`
    select ${columns} from contact where account_id = ${accountId} and address = ${address}`)
}

/** Writes a contact; the book must be locked, so that the checks before it still hold. */
export function writeContact(
  connection: CommonQueryMethods,
  accountId: string,
  contact: { address: string; name: string; signedAt: Date },
): Promise<ContactRow> {
  const signedAt = sql.timestamp(contact.signedAt)
  return connection.one(sql.type(contactRow)`
    insert into contact (account_id, address, name, signed_at)
    values (${accountId}, ${contact.address}, ${contact.name}, ${signedAt})
    on conflict (account_id, address) do update
      set name = excluded.name, signed_at = excluded.signed_at, updated_at = now()
    returning ${columns}`)
}

/** Removes a contact; of it, only its signature time lives on, as the book's floor. False when there was none. */
export async function removeContact(
  connection: CommonQueryMethods,
  accountId: string,
  address: string,
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    with removed as (
      delete from contact where account_id = ${accountId} and address = ${address} returning signed_at
    )
    update address_book set signed_floor = greatest(signed_floor, removed.signed_at)
    from removed where account_id = ${accountId}`)
  return rowCount > 0
}

const signerRow = z.object({ authAddress: z.string() })

/** The address of an account's spending key, which signs for the account; null for an unknown account. */
export async function readSigner(connection: CommonQueryMethods, accountId: string): Promise<string | null> {
  const row = await connection.maybeOne(sql.type(signerRow)`
    select auth_address as "authAddress" from account where id = ${accountId}`)
  return row?.authAddress ?? null
}
