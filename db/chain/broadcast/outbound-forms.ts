import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { insertAttempt } from './outbound-queue.ts'
import { hexBytes, hexText, outboundAuthorization, type SignedAttempt } from './outbound-rows.ts'

type Hex = `0x${string}`

/** The signed bytes of attempts; those whose retention is over are left out. */
export async function readRawAttempts(
  pool: CommonQueryMethods,
  hashes: readonly Hex[],
): Promise<ReadonlyMap<Hex, Hex>> {
  const rows = await pool.any(sql.type(z.object({ hash: hexText, raw: hexBytes }))`
    select hash, raw from outbound_attempt
    where hash = any(${sql.array([...hashes], 'text')}) and raw is not null`)
  return new Map(rows.map(({ hash, raw }) => [hash, raw]))
}

const formRow = z.object({ id: z.string(), hash: hexText, raw: hexBytes })

/**
 * The newest forms of transactions that still have signer and nonce as given, are in no block, and that nobody else is
 * working on: locked, so that none of them ends or moves while they are given to nodes.
 */
export async function lockNewestForms(
  transaction: CommonQueryMethods,
  outbounds: readonly { id: string; signer: string; txNonce: number }[],
): Promise<ReadonlyMap<string, { hash: Hex; raw: Hex }>> {
  const rows = await transaction.any(sql.type(formRow)`
    select outbound.id, newest.hash, newest.raw
    from outbound_tx outbound join ${sql.unnest(
      outbounds.map(({ id, signer, txNonce }) => [id, signer, txNonce]),
      ['uuid', 'text', 'int8'],
    )} as listed (id, signer, tx_nonce)
      on listed.id = outbound.id and listed.signer = outbound.signer and listed.tx_nonce = outbound.tx_nonce
    cross join lateral (
      select hash, raw from outbound_attempt where outbound_id = outbound.id order by created_at desc limit 1
    ) newest
    where status in ('signed', 'sent') and mined_hash is null and newest.raw is not null
    for no key update of outbound skip locked`)
  return new Map(rows.map(({ id, hash, raw }) => [id, { hash, raw }]))
}

/**
 * Locks a transaction that still has signer and nonce as given, and gives the hashes of all its forms; none when it has
 * ended or moved.
 */
export function lockForms(
  transaction: CommonQueryMethods,
  { id, signer, txNonce }: { id: string; signer: string; txNonce: number },
): Promise<readonly Hex[]> {
  return transaction.anyFirst(sql.type(z.object({ hash: hexText }))`
    with locked as (
      select id from outbound_tx
      where id = ${id} and signer = ${signer} and tx_nonce = ${txNonce} and status in ('signed', 'sent')
      for no key update
    )
    select hash from locked join outbound_attempt on outbound_id = locked.id`)
}

const callRow = z.object({
  to: hexText,
  data: hexBytes,
  value: z.bigint(),
  gasLimit: z.bigint(),
  authorizations: z.array(outboundAuthorization).nullable(),
})

/** What a transaction of nothing needs. */
const TRANSFER_GAS = 21_000n

/**
 * What the next form of a transaction does that is signed with that nonce and not mined: its call, or nothing where it can
 * only fail. Locked; null when it is not so any more.
 */
export function lockUnmined(
  transaction: CommonQueryMethods,
  { id, signer, txNonce }: { id: string; signer: string; txNonce: number },
): Promise<z.output<typeof callRow> | null> {
  return transaction.maybeOne(sql.type(callRow)`
    select case when pointless is null then to_address else signer end as "to",
      case when pointless is null then data else ''::bytea end as data,
      case when pointless is null then value else 0 end as value,
      case when pointless is null then gas_limit else ${TRANSFER_GAS} end as "gasLimit",
      case when pointless is null then authorizations end as authorizations
    from outbound_tx
    where id = ${id} and signer = ${signer} and tx_nonce = ${txNonce} and status in ('signed', 'sent')
      and mined_hash is null
    for update`)
}

/** Adds a replacement to a transaction that {@link lockUnmined} holds. */
export async function insertReplacement(
  transaction: CommonQueryMethods,
  outboundId: string,
  attempt: SignedAttempt,
): Promise<void> {
  await insertAttempt(transaction, outboundId, attempt)
  await transaction.query(sql.typeAlias('void')`
    update outbound_tx set reserved = greatest(reserved, ${attempt.reserved}) where id = ${outboundId}`)
}

/**
 * Notes that a transaction which is signed with that nonce and in no block can only fail, and why. False when it is not so
 * any more.
 */
export async function markPointless(
  pool: CommonQueryMethods,
  { id, signer, txNonce }: { id: string; signer: string; txNonce: number },
  reason: string,
): Promise<boolean> {
  const { rowCount } = await pool.query(sql.typeAlias('void')`
    update outbound_tx set pointless = ${reason}, pointless_at = clock_timestamp()
    where id = ${id} and signer = ${signer} and tx_nonce = ${txNonce} and status in ('signed', 'sent')
      and mined_hash is null and pointless is null`)
  return rowCount === 1
}

const callOfRow = callRow.extend({ id: z.string() })

/** The calls of transactions as they were queued; those whose retention is over are left out. */
export async function readCalls(
  pool: CommonQueryMethods,
  ids: readonly string[],
): Promise<ReadonlyMap<string, z.output<typeof callRow>>> {
  const rows = await pool.any(sql.type(callOfRow)`
    select id, to_address as "to", data, value, gas_limit as "gasLimit", authorizations from outbound_tx
    where id = any(${sql.array([...ids], 'uuid')}) and data is not null`)
  return new Map(rows.map(({ id, ...call }) => [id, call]))
}
