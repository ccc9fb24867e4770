import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { byAccount } from '../../account-table.ts'

/** How an account's erasure and export treat the table. */
export const activityNoteTable = byAccount('activity_note')

const noteRow = z.object({
  type: z.string(),
  quoteId: z.string(),
  ciphertext: z.string(),
  createdAt: z.date(),
  updatedAt: z.date(),
})

/** A note on one activity, encrypted by the client. */
export type ActivityNoteRow = z.output<typeof noteRow>

/** Names a note within its account. */
export interface NoteKey {
  type: string
  quoteId: string
}

/** Position of the last note of a page. */
export type NotePosition = NoteKey & { createdAt: Date }

const columns = sql.fragment`
  reference_type as type, quote_id as "quoteId", ciphertext, created_at as "createdAt", updated_at as "updatedAt"`

/** Lists notes from the newest, after a position; changing a note does not move it. */
export function listNotes(
  connection: CommonQueryMethods,
  accountId: string,
  page: { after: NotePosition | null; limit: number },
): Promise<readonly ActivityNoteRow[]> {
  const { after } = page
  const further = after
    ? sql.fragment`and (created_at, quote_id, reference_type)
        < (${sql.timestamp(after.createdAt)}, ${after.quoteId}::uuid, ${after.type})`
    : sql.fragment``
  return connection.any(sql.type(noteRow)`
    select ${columns} from activity_note where account_id = ${accountId} ${further}
    order by created_at desc, quote_id desc, reference_type desc limit ${page.limit}`)
}

/**
 * Writes or replaces the note of one reference. The notes must be locked (`lockNotes`), or the limit can be
 * exceeded.
 */
export function writeNote(
  connection: CommonQueryMethods,
  accountId: string,
  { type, quoteId }: NoteKey,
  ciphertext: string,
): Promise<ActivityNoteRow> {
  return connection.one(sql.type(noteRow)`
    insert into activity_note (account_id, reference_type, quote_id, ciphertext)
    values (${accountId}, ${type}, ${quoteId}, ${ciphertext})
    on conflict (account_id, reference_type, quote_id) do update
      set ciphertext = excluded.ciphertext, updated_at = now()
    returning ${columns}`)
}

/** Deletes the note of one reference, if there is one. */
export async function removeNote(
  connection: CommonQueryMethods,
  accountId: string,
  { type, quoteId }: NoteKey,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    delete from activity_note
    where account_id = ${accountId} and reference_type = ${type} and quote_id = ${quoteId}`)
}

const roomRow = z.object({ others: z.int(), isKnown: z.boolean() })

/**
 * Locks the account's notes until the transaction ends, and reads the facts that decide whether a note may be written.
 * @returns The number of the account's other notes; and whether the reference names a quote of the account or already
 *   has a note.
 */
export async function lockNotes(
  connection: CommonQueryMethods,
  accountId: string,
  { type, quoteId }: NoteKey,
): Promise<z.output<typeof roomRow>> {
  await connection.query(sql.typeAlias('void')`
    select from account where id = ${accountId} for no key update`)
  return connection.one(sql.type(roomRow)`
    select
      count(*) filter (where (reference_type, quote_id) <> (${type}, ${quoteId}::uuid))::int4 as others,
      count(*) filter (where (reference_type, quote_id) = (${type}, ${quoteId}::uuid)) > 0
        or exists (select from quote where id = ${quoteId} and account_id = ${accountId}) as "isKnown"
    from activity_note where account_id = ${accountId}`)
}
