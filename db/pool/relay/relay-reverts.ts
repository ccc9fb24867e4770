import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexBytes } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

/** Retention of failures. */
const kept = sql.fragment`interval '1 day'`

const facts = z.object({
  /** Failures of the note with the recipient. */
  pairFailures: z.int(),
  /** Seconds since the last of them. */
  pairAge: z.int(),
  /** Recipients at which the note failed, failures in total, and seconds since the last one. */
  noteRecipients: z.int(),
  noteFailures: z.int(),
  noteAge: z.int(),
  /** Notes that failed at the recipient, failures in total, and seconds since the last one. */
  recipientNotes: z.int(),
  recipientFailures: z.int(),
  recipientAge: z.int(),
})
/** Stored failures of a note and a recipient; counts are 0 without any. */
export type RevertFacts = z.output<typeof facts>

/** A note of a pool and the recipient of its withdrawal. */
export interface NoteAndRecipient {
  chainId: number
  pool: string
  nullifierHash: bigint
  /** MAC of the recipient. */
  recipient: Uint8Array
}

/** Reads the stored failures of a note and a recipient on a chain; null without any. */
export function findReverts(
  connection: CommonQueryMethods,
  { chainId, pool, nullifierHash, recipient }: NoteAndRecipient,
): Promise<RevertFacts | null> {
  const isNote = sql.fragment`nullifier_hash = ${nullifierHash} and pool = ${pool} and chain_id = ${chainId}`
  const isRecipient = sql.fragment`recipient = ${sql.binary(Buffer.from(recipient))}`
  const age = sql.fragment`extract(epoch from now() - max(failed_at))`
  return connection.maybeOne(sql.type(facts)`
    select coalesce(pair_failures, 0)::int4 as "pairFailures", coalesce(pair_age, 0)::int4 as "pairAge",
      note_recipients::int4 as "noteRecipients", note_failures::int4 as "noteFailures",
      coalesce(note_age, 0)::int4 as "noteAge", recipient_notes::int4 as "recipientNotes",
      recipient_failures::int4 as "recipientFailures", coalesce(recipient_age, 0)::int4 as "recipientAge"
    from (
      select count(*) as note_recipients, coalesce(sum(failures), 0) as note_failures, ${age} as note_age,
        sum(failures) filter (where ${isRecipient}) as pair_failures,
        extract(epoch from now() - max(failed_at) filter (where ${isRecipient})) as pair_age
      from relay_revert where ${isNote} and failed_at > now() - ${kept}
    ) as of_note cross join (
      select count(*) as recipient_notes, coalesce(sum(failures), 0) as recipient_failures, ${age} as recipient_age
      from relay_revert where ${isRecipient} and failed_at > now() - ${kept}
    ) as of_recipient
    where note_failures + recipient_failures > 0`)
}

const noteRow = z.object({ pool: z.string(), nullifierHash: z.bigint() })

/** The notes that failed at a recipient. */
export function listNotesOfRecipient(
  connection: CommonQueryMethods,
  recipient: Uint8Array,
): Promise<readonly z.output<typeof noteRow>[]> {
  return connection.any(sql.type(noteRow)`
    select pool, nullifier_hash as "nullifierHash" from relay_revert
    where recipient = ${sql.binary(Buffer.from(recipient))} and failed_at > now() - ${kept}`)
}

/** Deletes reverts of notes that have been spent since: they no longer count against the recipient. */
export async function forgetSpentNotes(
  connection: CommonQueryMethods,
  chainId: number,
  notes: readonly { pool: string; nullifierHash: bigint }[],
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    delete from relay_revert using ${sql.unnest(
      notes.map(({ pool, nullifierHash }) => [pool, nullifierHash]),
      ['text', 'numeric'],
    )} as spent (pool, nullifier_hash)
    where chain_id = ${chainId} and relay_revert.pool = spent.pool
      and relay_revert.nullifier_hash = spent.nullifier_hash`)
}

const revertedRow = z.object({
  requestId: z.string(),
  chainId: z.bigint().transform(Number),
  pool: z.string(),
  nullifierHash: z.bigint(),
  /** Calldata of the transaction. */
  data: hexBytes,
})

/**
 * Lists reverted requests that used a large part of their gas limit. A request that the pool refused for its root or note
 * used less, because the pool checks these early.
 * @param leastPercent Least percentage of the gas limit.
 */
export function listCostlyReverts(
  transaction: CommonQueryMethods,
  requestIds: readonly string[],
  leastPercent: number,
): Promise<readonly z.output<typeof revertedRow>[]> {
  return transaction.any(sql.type(revertedRow)`
    select request.id as "requestId", request.chain_id as "chainId", pool, nullifier_hash as "nullifierHash", data
    from relay_request as request join outbound_tx on outbound_tx.id = outbound_id
    where request.id = any(${sql.array([...requestIds], 'uuid')}) and outbound_tx.status = 'reverted'
      and data is not null and gas_used * 100 >= gas_limit * ${leastPercent}`)
}

/** Records that relays reverted. */
export async function rememberReverts(
  transaction: CommonQueryMethods,
  reverts: readonly NoteAndRecipient[],
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    insert into relay_revert (chain_id, pool, nullifier_hash, recipient)
    select * from ${sql.unnest(
      reverts.map(({ chainId, pool, nullifierHash, recipient }) => [
        chainId,
        pool,
        nullifierHash,
        Buffer.from(recipient),
      ]),
      ['int8', 'text', 'numeric', 'bytea'],
    )} as reverted
    on conflict (nullifier_hash, pool, chain_id, recipient) do update
      set failures = relay_revert.failures + 1, failed_at = now()`)
}

const chainRow = z.object({ chainId: z.bigint().transform(Number) })

/** Lists the chains with stored reverts. */
export async function listChainsOfReverts(connection: CommonQueryMethods): Promise<readonly number[]> {
  return connection.anyFirst(sql.type(chainRow)`
    with recursive known as (
      select min(chain_id) as chain_id from relay_revert
      union all
      select (select min(chain_id) from relay_revert where chain_id > known.chain_id) from known
      where known.chain_id is not null
    )
    select chain_id as "chainId" from known where chain_id is not null`)
}

/** Deletes reverts that are too old to count. */
export async function purgeReverts(connection: CommonQueryMethods): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    delete from relay_revert where failed_at < now() - ${kept}`)
}
