import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'
import { byAccount } from '../account-table.ts'
import type { ShortLivedSecret } from '../sealed-column.ts'

/** How an account's erasure and export treat the table. */
export const idempotencyKeyTable = byAccount('idempotency_key', [
  'key_hash',
  'input_hash',
  'claim_id',
  'claimed_until',
  'sealed_answer',
])

/** Not rewrapped under a new master key. */
export const sealedAnswers: ShortLivedSecret = {
  table: 'idempotency_key',
  columns: ['sealed_answer'],
  kept: 'sealed by the transient server key, which is re-wrapped itself',
}

/** A key with the account and operation within which it is unique. */
export interface IdempotencyScope {
  accountId: string
  operation: string
  keyHash: Buffer
}

const keptRow = z.object({
  inputHash: z.instanceof(Buffer),
  sealedAnswer: z.instanceof(Buffer).nullable(),
  answer: z.string().nullable(),
})

/** The row of a key: both answers are null while its operation runs. Earlier versions wrote `answer` in clear. */
export type KeptAnswer = z.output<typeof keptRow>

/** Finds the row of a key. @returns Null when nothing is stored under the key, or it has expired. */
export function findAnswer(
  connection: CommonQueryMethods,
  { accountId, operation, keyHash }: IdempotencyScope,
): Promise<KeptAnswer | null> {
  return connection.maybeOne(sql.type(keptRow)`
    select input_hash as "inputHash", sealed_answer as "sealedAnswer", answer from idempotency_key
    where account_id = ${accountId} and operation = ${operation} and key_hash = ${sql.binary(keyHash)}
      and expires_at > now()`)
}

const claimOutcome = z.object({ outcome: z.enum(['claimed', 'taken', 'full']) })

/**
 * `claimed`: the caller runs the operation. `taken`: another caller runs or ran it. `full`: the account has no room for
 * another key.
 */
export type ClaimOutcome = z.output<typeof claimOutcome>['outcome']

/**
 * Claims a free key: never used, expired, or left by a runner that did not renew its claim.
 *
 * @param claim.keepSeconds Retention of the answer from now on, rounded up to a full hour, so that the row does not
 *   reveal the time of the request.
 * @param claim.mostKeys Most keys that an account may store. Concurrent claims may exceed it by a few.
 * @param claim.mostBytes Most bytes of its answers; the last answer may exceed it.
 */
export async function claimKey(
  connection: CommonQueryMethods,
  { accountId, operation, keyHash }: IdempotencyScope,
  claim: {
    claimId: string
    inputHash: Buffer
    leaseMs: number
    keepSeconds: number
    mostKeys: number
    mostBytes: number
  },
): Promise<ClaimOutcome> {
  const known = sql.fragment`exists (select 1 from idempotency_key
    where account_id = ${accountId} and operation = ${operation} and key_hash = ${sql.binary(keyHash)})`
  const { outcome } = await connection.one(sql.type(claimOutcome)`
    with room as materialized (
      -- Expired ones count until they are purged, some minutes later: all that is read is an index.
      select ${known} or count(*) < ${claim.mostKeys} and coalesce(sum(answer_bytes), 0) < ${claim.mostBytes} as is_left
      from idempotency_key where account_id = ${accountId}
    ), claimed as (
      insert into idempotency_key as kept
        (account_id, operation, key_hash, input_hash, claim_id, claimed_until, expires_at)
      select ${accountId}::uuid, ${operation}, ${sql.binary(keyHash)}, ${sql.binary(claim.inputHash)}, ${claim.claimId}::uuid,
        now() + ${claim.leaseMs} * interval '1 millisecond',
        date_trunc('hour', now() + ${claim.keepSeconds} * interval '1 second') + interval '1 hour'
      from room where is_left
      on conflict (account_id, operation, key_hash) do update
        set input_hash = excluded.input_hash, claim_id = excluded.claim_id, claimed_until = excluded.claimed_until,
          answer = null, sealed_answer = null, expires_at = excluded.expires_at
        where kept.expires_at <= now()
          or (kept.answer is null and kept.sealed_answer is null and kept.claimed_until <= now())
      returning 1
    )
    select case when exists (select 1 from claimed) then 'claimed' when is_left then 'taken' else 'full' end as outcome
    from room`)
  return outcome
}

/** Renews a claim for another lease. */
export async function renewClaim(
  connection: CommonQueryMethods,
  claimId: string,
  scope: IdempotencyScope,
  leaseMs: number,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    update idempotency_key set claimed_until = now() + ${leaseMs} * interval '1 millisecond'
    where ${ofClaim(claimId, scope)}`)
}

/**
 * Stores the answer, and erases when it was run. @returns False when another runner took over the claim; its answer
 * then counts.
 */
export async function storeAnswer(
  connection: CommonQueryMethods,
  claimId: string,
  scope: IdempotencyScope,
  sealedAnswer: Buffer,
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    update idempotency_key set sealed_answer = ${sql.binary(sealedAnswer)}, claimed_until = expires_at
    where ${ofClaim(claimId, scope)}`)
  return rowCount > 0
}

/** Frees the key of a failed run. */
export async function releaseClaim(
  connection: CommonQueryMethods,
  claimId: string,
  scope: IdempotencyScope,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    delete from idempotency_key where ${ofClaim(claimId, scope)} and answer is null and sealed_answer is null`)
}

/** Bytes of all stored answers. */
export async function sumAnswers(connection: CommonQueryMethods): Promise<number> {
  return connection.oneFirst(sql.type(z.object({ bytes: z.number() }))`
    select coalesce(sum(answer_bytes), 0)::float8 as bytes from idempotency_key`)
}

/** Deletes expired keys. @returns The number of deleted keys. */
export async function purgeExpiredKeys(connection: CommonQueryMethods): Promise<number> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    delete from idempotency_key where expires_at <= now()`)
  return rowCount
}

function ofClaim(claimId: string, { accountId, operation, keyHash }: IdempotencyScope) {
  return sql.fragment`account_id = ${accountId} and operation = ${operation}
    and key_hash = ${sql.binary(keyHash)} and claim_id = ${claimId}`
}
