import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'

/** What a key is unique within, and itself. */
export interface KeyScope {
  accountId: string
  operation: string
  keyHash: Buffer
}

const keptRow = z.object({ inputHash: z.instanceof(Buffer), answer: z.string().nullable() })

/** What is stored under a key; `answer` is null while it runs. */
export type KeptAnswer = z.output<typeof keptRow>

/** @returns null when nothing is stored under the key, or it has expired. */
export function findAnswer(
  connection: CommonQueryMethods,
  { accountId, operation, keyHash }: KeyScope,
): Promise<KeptAnswer | null> {
  return connection.maybeOne(sql.type(keptRow)`
    select input_hash as "inputHash", answer from idempotency_key
    where account_id = ${accountId} and operation = ${operation} and key_hash = ${sql.binary(keyHash)}
      and expires_at > now()`)
}

/**
 * Claims a key that is free: never used, expired, or left by a runner that has not renewed its claim.
 *
 * @param claim.keepSeconds From now on, the answer is kept for as long.
 * @returns whether the caller is the one who runs it.
 */
export async function claimKey(
  connection: CommonQueryMethods,
  { accountId, operation, keyHash }: KeyScope,
  claim: { claimId: string; inputHash: Buffer; leaseMs: number; keepSeconds: number },
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    insert into idempotency_key as kept
      (account_id, operation, key_hash, input_hash, claim_id, claimed_until, expires_at)
    values (${accountId}, ${operation}, ${sql.binary(keyHash)}, ${sql.binary(claim.inputHash)}, ${claim.claimId},
      now() + ${claim.leaseMs} * interval '1 millisecond', now() + ${claim.keepSeconds} * interval '1 second')
    on conflict (account_id, operation, key_hash) do update
      set input_hash = excluded.input_hash, claim_id = excluded.claim_id, claimed_until = excluded.claimed_until,
        answer = null, expires_at = excluded.expires_at
      where kept.expires_at <= now() or (kept.answer is null and kept.claimed_until <= now())`)
  return rowCount > 0
}

/** Keeps a claim for another lease. */
export async function renewClaim(
  connection: CommonQueryMethods,
  claimId: string,
  scope: KeyScope,
  leaseMs: number,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    update idempotency_key set claimed_until = now() + ${leaseMs} * interval '1 millisecond'
    where ${ofClaim(claimId, scope)}`)
}

/** @returns false when another runner has taken the claim over, whose answer then counts. */
export async function storeAnswer(
  connection: CommonQueryMethods,
  claimId: string,
  scope: KeyScope,
  answer: string,
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    update idempotency_key set answer = ${answer} where ${ofClaim(claimId, scope)}`)
  return rowCount > 0
}

/** Frees the key of a run that failed. */
export async function releaseClaim(
  connection: CommonQueryMethods,
  claimId: string,
  scope: KeyScope,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    delete from idempotency_key where ${ofClaim(claimId, scope)} and answer is null`)
}

/** @returns how many were deleted. */
export async function purgeExpiredKeys(connection: CommonQueryMethods): Promise<number> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    delete from idempotency_key where expires_at <= now()`)
  return rowCount
}

function ofClaim(claimId: string, { accountId, operation, keyHash }: KeyScope) {
  return sql.fragment`account_id = ${accountId} and operation = ${operation}
    and key_hash = ${sql.binary(keyHash)} and claim_id = ${claimId}`
}
