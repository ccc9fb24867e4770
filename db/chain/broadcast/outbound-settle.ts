import type { CommonQueryMethods, FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { type OutboundProgressRow, holding, holdingUnfinished, notifying } from './outbound-rows.ts'
import { hexText } from '../../column-types.ts'

type Hex = `0x${string}`

/** Outcome of a transaction by its receipt. `fee` in wei. */
export interface MinedEnd {
  id: string
  status: 'confirmed' | 'reverted'
  hash: Hex
  blockNumber: bigint
  blockHash: Hex
  fee: bigint
  gasUsed: bigint
  /** Notification for every instance. */
  message: string
}

/** Ends transactions by their receipts, and notifies of each. @returns Ids of those that had not ended before. */
export async function finishMined(
  transaction: CommonQueryMethods,
  ends: readonly MinedEnd[],
): Promise<ReadonlySet<string>> {
  const held = holdingUnfinished(ends.map(({ id }) => id))
  const rows = await transaction.any(sql.type(z.object({ id: z.string() }))`
    with ended as (
      update outbound_tx set status = mined.status, mined_hash = mined.hash, mined_block_number = mined.block_number,
        mined_block_hash = mined.block_hash, fee = mined.fee, gas_used = mined.gas_used, settled_at = now()
      from ${sql.unnest(
        ends.map((end) => [
          end.id,
          end.status,
          end.hash,
          end.blockNumber,
          end.blockHash,
          end.fee,
          end.gasUsed,
          end.message,
        ]),
        ['uuid', 'text', 'text', 'int8', 'text', 'numeric', 'numeric', 'text'],
      )} as mined (id, status, hash, block_number, block_hash, fee, gas_used, message)
      where outbound_tx.id = mined.id and outbound_tx.id = any(${held})
      returning outbound_tx.id, mined.message
    )
    select id from ended cross join lateral ${notifying(sql.fragment`message`)} as told`)
  return new Set(rows.map(({ id }) => id))
}

/** Strips signer and nonce from a transaction locked by `lockForms`, and requeues it. */
export async function requeueSigned(transaction: CommonQueryMethods, id: string): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    update outbound_tx set signer = null, tx_nonce = null, reserved = 0, mined_hash = null, status = 'queued'
    where id = ${id} and status in ('signed', 'sent')`)
}

/** Strips signer and nonce from a transaction locked by `lockForms`, and abandons it. */
export async function abandonSigned(
  transaction: CommonQueryMethods,
  id: string,
  reason: string,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    update outbound_tx set signer = null, tx_nonce = null, reserved = 0, mined_hash = null, status = 'abandoned',
      reason = ${reason}, settled_at = now()
    where id = ${id} and status in ('signed', 'sent')`)
}

/** Abandons a queued transaction: one never signed, or whose nonce was given back. False when it is no longer queued. */
export async function abandonQueued(
  transaction: CommonQueryMethods,
  id: string,
  reason: string,
): Promise<boolean> {
  const { rowCount } = await transaction.query(sql.typeAlias('void')`
    update outbound_tx set status = 'abandoned', reason = ${reason}, settled_at = now()
    where id = ${id} and status = 'queued'`)
  return rowCount === 1
}

/**
 * Abandons queued transactions that no other transaction has locked.
 * @param among A query for the candidate ids.
 */
export async function abandonQueuedAmong(
  transaction: CommonQueryMethods,
  among: FragmentSqlToken,
  reason: string,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    update outbound_tx set status = 'abandoned', reason = ${reason}, settled_at = now()
    where status = 'queued' and id in (
      select outbound_tx.id from outbound_tx where status = 'queued' and id in (${among})
      for update skip locked)`)
}

/**
 * Turns unmined signed transactions of a chain into empty transfers to their own signer.
 * @param which A condition on `outbound_tx`.
 * @param gasLimit Gas limit of such a transfer.
 * @returns The number of changed rows; those already empty do not count.
 */
export async function emptyUnmined(
  connection: CommonQueryMethods,
  chainId: number,
  which: FragmentSqlToken,
  gasLimit: bigint,
): Promise<number> {
  const held = holding(sql.fragment`
    chain_id = ${chainId} and status in ('signed', 'sent') and mined_hash is null and data <> ''::bytea and ${which}`)
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    update outbound_tx set to_address = signer, data = ''::bytea, gas_limit = ${gasLimit}, authorizations = null
    where id = any(${held})`)
  return rowCount
}

const progressRow = z.object({
  status: z.enum(['queued', 'signed', 'sent', 'confirmed', 'reverted', 'abandoned']),
  hash: hexText.nullable(),
  reason: z.string().nullable(),
})

/** Reads a transaction's latest progress; null while it is queued or no node is known to have it. */
export async function readProgress(
  pool: CommonQueryMethods,
  id: string,
): Promise<OutboundProgressRow | null> {
  const row = await pool.one(sql.type(progressRow)`
    select status, reason, coalesce(mined_hash, (
        select hash from outbound_attempt where outbound_id = outbound_tx.id and delivery = 'accepted'
        order by created_at desc limit 1
      )) as hash
    from outbound_tx where id = ${id}`)
  if (row.status === 'queued' || row.status === 'signed') return null
  if (row.status === 'abandoned') return { status: 'abandoned', reason: row.reason ?? '' }
  return row.hash && { status: row.status, hash: row.hash }
}

/**
 * Erases calldata, authorizations and signed bytes of transactions settled longer than `retainMs` ago; hashes and
 * amounts stay. Instances share the work.
 */
export async function forgetSettled(pool: CommonQueryMethods, retainMs: number): Promise<void> {
  await pool.query(sql.typeAlias('void')`
    with forgotten as (
      update outbound_tx set data = null, authorizations = null
      where id = any(array(
        select id from outbound_tx
        where settled_at < now() - ${retainMs} * interval '1 ms' and data is not null for no key update skip locked))
      returning id
    )
    update outbound_attempt set raw = null where outbound_id in (select id from forgotten)`)
}
