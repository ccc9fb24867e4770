import type { CommonQueryMethods, DatabasePool } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { hashInviteCode } from '../../identity/invite-codes.ts'
import { byAccount, type AccountTable } from '../../account-table.ts'

/** How an account's erasure and export treat the tables. */
export const subdomainTables: readonly AccountTable[] = [
  {
    ...byAccount('subdomain_reservation', ['invite_code_hash']),
    kept: 'the name is reserved for the holder of its invite code again, without the account’s id',
  },
  byAccount('subdomain'),
]

/** Obstacle to a name: an account that has or had it, or a reservation for another invite code. */
export type NameHindrance = 'claimed' | 'retired' | 'reserved'

const nameRow = z.object({ name: z.string() })
const ownerRow = z.object({ accountId: z.string() })
const hindranceRow = z.object({ hindrance: z.enum(['claimed', 'retired', 'reserved']).nullable() })

/** A claimant of a name: an account (null for anybody), with or without an invite code. */
export interface NameClaimant {
  accountId: string | null
  inviteCode: string | null
}

const isReserved = (name: string, { accountId, inviteCode }: NameClaimant) => sql.fragment`exists (
  select from subdomain_reservation where name = ${name}
    and account_id is distinct from coalesce(${accountId}::uuid, gen_random_uuid())
    and invite_code_hash is distinct from ${inviteCode === null ? null : sql.binary(hashInviteCode(inviteCode))})`

const isRetired = (name: string) => sql.fragment`exists (
  select from subdomain_retired where name_hash = sha256(convert_to(${name}, 'UTF8')))`

/**
 * Serializes all changes of names until the transaction ends, because three tables together say who owns a name. It
 * is a statement of its own, so that later statements see what was committed while it waited.
 */
const lockName = (transaction: CommonQueryMethods, name: string) =>
  transaction.query(sql.typeAlias('void')`
    select from pg_advisory_xact_lock(hashtextextended('subdomain ' || ${name}, 0))`)

/** The obstacle that keeps a claimant from a name; null when there is none. */
export async function findHindrance(
  connection: CommonQueryMethods,
  name: string,
  claimant: NameClaimant,
): Promise<NameHindrance | null> {
  const row = await connection.one(sql.type(hindranceRow)`
    select case
      when exists (select from subdomain where name = ${name}) then 'claimed'
      when ${isRetired(name)} then 'retired'
      when ${isReserved(name, claimant)} then 'reserved'
    end as hindrance`)
  return row.hindrance
}

/** Assigns a name to an account; the first of concurrent claims wins. False when the account has a name or an obstacle exists. */
export function insertSubdomain(
  pool: DatabasePool,
  claim: NameClaimant & { name: string; accountId: string },
): Promise<boolean> {
  return pool.transaction(async (transaction) => {
    await lockName(transaction, claim.name)
    const { rowCount } = await transaction.query(sql.typeAlias('void')`
      insert into subdomain (name, account_id)
      select ${claim.name}, ${claim.accountId}::uuid
      where not ${isRetired(claim.name)} and not ${isReserved(claim.name, claim)}
      on conflict do nothing`)
    return rowCount > 0
  })
}

/** The name that the account claimed, without the parent domain; null when it has none. */
export async function findSubdomain(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<string | null> {
  const row = await connection.maybeOne(sql.type(nameRow)`
    select name from subdomain where account_id = ${accountId}`)
  return row?.name ?? null
}

/** The account that a name leads to; null when there is none or it is disabled. */
export async function findNameOwner(connection: CommonQueryMethods, name: string): Promise<string | null> {
  const row = await connection.maybeOne(sql.type(ownerRow)`
    select account.id as "accountId" from subdomain join account on account.id = subdomain.account_id
    where subdomain.name = ${name} and account.disabled_at is null`)
  return row?.accountId ?? null
}

/** True if a name is reserved for a claimant. */
export async function isKeptFor(
  connection: CommonQueryMethods,
  name: string,
  { accountId, inviteCode }: NameClaimant,
): Promise<boolean> {
  const codeHash = inviteCode === null ? null : sql.binary(hashInviteCode(inviteCode))
  const row = await connection.maybeOne(sql.type(nameRow)`
    select name from subdomain_reservation
    where name = ${name} and (account_id = ${accountId}::uuid or invite_code_hash = ${codeHash})`)
  return row !== null
}

/**
 * Reserves a name for the holder of the invite code, replacing an earlier reservation. False when an account has the
 * name.
 */
export function reserveSubdomain(pool: DatabasePool, name: string, inviteCode: string): Promise<boolean> {
  return pool.transaction(async (transaction) => {
    await lockName(transaction, name)
    const { rowCount } = await transaction.query(sql.typeAlias('void')`
      insert into subdomain_reservation (name, invite_code_hash)
      select ${name}, ${sql.binary(hashInviteCode(inviteCode))}
      where not exists (select from subdomain where name = ${name})
      on conflict (name) do update set invite_code_hash = excluded.invite_code_hash, account_id = null`)
    return rowCount > 0
  })
}

/** Binds the names reserved for an invite code to the account that is being created with it; the first such account gets them. */
export async function holdReservedNames(
  connection: CommonQueryMethods,
  accountId: string,
  inviteCode: string,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    update subdomain_reservation set account_id = ${accountId}
    where invite_code_hash = ${sql.binary(hashInviteCode(inviteCode))} and account_id is null`)
}

/** Retires an account's name: no other account can claim it. Call before the deletion of the account, in its transaction. */
export async function retireSubdomain(transaction: CommonQueryMethods, accountId: string): Promise<void> {
  const name = await findSubdomain(transaction, accountId)
  if (name === null) return
  await lockName(transaction, name)
  await transaction.query(sql.typeAlias('void')`
    insert into subdomain_retired (name_hash) values (sha256(convert_to(${name}, 'UTF8'))) on conflict do nothing`)
}
