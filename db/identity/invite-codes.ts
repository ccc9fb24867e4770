import { createHash } from 'node:crypto'
import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'

/** An invite code in clear text, on its way to being stored as a hash. */
export interface NewInviteCode {
  id: string
  code: string
  label: string
  expiresAt: Date | null
}

/** Hashes a code. People type codes: case, blanks and dashes make no difference. */
export const hashInviteCode = (code: string) =>
  createHash('sha256').update(code.replaceAll(/[\s-]/g, '').toUpperCase()).digest()

/** Stores hashes of the codes, so that a copy of the database gives no access. */
export async function createInviteCodes(
  connection: CommonQueryMethods,
  codes: readonly NewInviteCode[],
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    insert into invite_code (id, code_hash, label, expires_at)
    select id, decode(hash, 'hex'), label, expires_at from ${sql.unnest(
      codes.map(({ id, code, label, expiresAt }) => [
        id,
        hashInviteCode(code).toString('hex'),
        label,
        expiresAt?.toISOString() ?? null,
      ]),
      ['text', 'text', 'text', 'timestamptz'],
    )} as wanted (id, hash, label, expires_at)`)
}

/**
 * Consumes a code.
 *
 * @returns True if it was valid; of concurrent attempts exactly one gets true.
 */
export async function consumeInviteCode(connection: CommonQueryMethods, code: string): Promise<boolean> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    update invite_code set consumed_at = now()
    where code_hash = ${sql.binary(hashInviteCode(code))} and consumed_at is null
      and (expires_at is null or expires_at > now())`)
  return rowCount === 1
}

const listedRow = z.object({
  id: z.string(),
  label: z.string(),
  createdAt: z.date(),
  expiresAt: z.date().nullable(),
  consumedAt: z.date().nullable(),
})

/** All codes, newest first. */
export function listInviteCodes(
  connection: CommonQueryMethods,
): Promise<readonly z.output<typeof listedRow>[]> {
  return connection.any(sql.type(listedRow)`
    select id, label, created_at as "createdAt", expires_at as "expiresAt", consumed_at as "consumedAt"
    from invite_code order by created_at desc, id`)
}
