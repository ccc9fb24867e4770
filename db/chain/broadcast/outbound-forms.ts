import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { insertAttempt } from './outbound-queue.ts'
import { outboundAuthorization, type SignedAttempt } from './outbound-rows.ts'
import { hexBytes, hexText } from '../../column-types.ts'

type Hex = `0x${string}`

/** Reads the signed bytes of attempts; omits those past their retention. */
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

/** A transaction with the nonce that it had when it was listed. */
export interface HeldNonce {
  id: string
  signer: string
  txNonce: number
}

/**
 * Locks unmined transactions that still have the given signer and nonce, and returns their newest forms. Locked rows
 * neither end nor move while their forms are sent to nodes; rows locked by others are skipped.
 *
 * @param lessee If given, only transactions whose signer this instance leases now.
 */
export async function lockNewestForms(
  transaction: CommonQueryMethods,
  outbounds: readonly HeldNonce[],
  lessee?: string,
): Promise<ReadonlyMap<string, { hash: Hex; raw: Hex }>> {
  const isLeased = sql.fragment`exists (
    select from signer where signer.chain_id = outbound.chain_id and address = outbound.signer
      and lease_owner = ${lessee ?? null}::uuid and lease_until > clock_timestamp())`
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
      and ${lessee === undefined ? sql.fragment`true` : isLeased}
    for no key update of outbound skip locked`)
  return new Map(rows.map(({ id, hash, raw }) => [id, { hash, raw }]))
}

/**
 * Records that nodes may get forms which all of them had refused. Commit before offering them again: if the instance
 * then dies, they must not stay marked as refused.
 * Locks the transactions before their forms, as every sender does. The second statement sees changes to the forms that
 * were committed while the first waited.
 */
export async function noteOffered(pool: CommonQueryMethods, hashes: readonly Hex[]): Promise<void> {
  const forms = sql.array([...hashes], 'text')
  await pool.transaction(async (transaction) => {
    await transaction.query(sql.typeAlias('void')`
      select from outbound_tx where id in (select outbound_id from outbound_attempt where hash = any(${forms}))
      order by id for no key update`)
    await transaction.query(sql.typeAlias('void')`
      update outbound_attempt set delivery = 'unknown' where hash = any(${forms}) and delivery = 'refused'`)
  })
}

const factsRow = z.object({
  status: z.enum(['signed', 'sent']),
  minedHash: hexText.nullable(),
  /** Reason why it can only fail by now; null while it may succeed. */
  pointless: z.string().nullable(),
})
const deliveryRow = z.object({ hash: hexText, delivery: z.enum(['unknown', 'accepted', 'refused']) })

/** Status of a transaction that has a nonce, and the delivery of each of its forms. */
export type LockedOutbound = z.output<typeof factsRow> & {
  forms: readonly z.output<typeof deliveryRow>[]
}

/**
 * Locks a transaction that still has the given signer and nonce, and returns all its forms; null when it has ended or
 * moved.
 * Two statements: the second sees forms that were committed while the first waited for the lock.
 */
export async function lockForms(
  transaction: CommonQueryMethods,
  { id, signer, txNonce }: HeldNonce,
): Promise<LockedOutbound | null> {
  const facts = await transaction.maybeOne(sql.type(factsRow)`
    select status, mined_hash as "minedHash", pointless from outbound_tx
    where id = ${id} and signer = ${signer} and tx_nonce = ${txNonce} and status in ('signed', 'sent')
    for no key update`)
  if (!facts) return null
  const forms = await transaction.any(sql.type(deliveryRow)`
    select hash, delivery from outbound_attempt where outbound_id = ${id}`)
  return { ...facts, forms }
}

const callRow = z.object({
  to: hexText,
  data: hexBytes,
  value: z.bigint(),
  gasLimit: z.bigint(),
  authorizations: z.array(outboundAuthorization).nullable(),
  /** Wei that its fee covers, and its expected gas; null without a fee. */
  covered: z.bigint().nullable(),
  likelyGas: z.bigint().nullable(),
})

/** Gas of an empty transfer. */
const TRANSFER_GAS = 21_000n

/**
 * Locks an unmined transaction with that nonce and returns its next form's content: the call, or an empty transfer if
 * the call can only fail. Null when the transaction has moved or is mined.
 */
export function lockUnmined(
  transaction: CommonQueryMethods,
  { id, signer, txNonce }: HeldNonce,
): Promise<z.output<typeof callRow> | null> {
  return transaction.maybeOne(sql.type(callRow)`
    select case when pointless is null then to_address else signer end as "to",
      case when pointless is null then data else ''::bytea end as data,
      case when pointless is null then value else 0 end as value,
      case when pointless is null then gas_limit else ${TRANSFER_GAS} end as "gasLimit",
      case when pointless is null then authorizations end as authorizations,
      case when pointless is null then covered end as covered,
      case when pointless is null then likely_gas end as "likelyGas"
    from outbound_tx
    where id = ${id} and signer = ${signer} and tx_nonce = ${txNonce} and status in ('signed', 'sent')
      and mined_hash is null
    for update`)
}

/** Adds a replacement to a transaction locked by {@link lockUnmined}. */
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
 * Records why an unmined transaction with that nonce can only fail. False when the transaction has moved, is mined, or
 * was marked before.
 */
export async function markPointless(
  pool: CommonQueryMethods,
  { id, signer, txNonce }: HeldNonce,
  reason: string,
): Promise<boolean> {
  const { rowCount } = await pool.query(sql.typeAlias('void')`
    update outbound_tx set pointless = ${reason}, pointless_at = clock_timestamp()
    where id = ${id} and signer = ${signer} and tx_nonce = ${txNonce} and status in ('signed', 'sent')
      and mined_hash is null and pointless is null`)
  return rowCount === 1
}

const callOfRow = callRow.extend({ id: z.string() })

/** Reads the calls of transactions as they were queued; omits those past their retention. */
export async function listQueuedCalls(
  pool: CommonQueryMethods,
  ids: readonly string[],
): Promise<ReadonlyMap<string, z.output<typeof callRow>>> {
  const rows = await pool.any(sql.type(callOfRow)`
    select id, to_address as "to", data, value, gas_limit as "gasLimit", authorizations, covered,
      likely_gas as "likelyGas"
    from outbound_tx
    where id = any(${sql.array([...ids], 'uuid')}) and data is not null`)
  return new Map(rows.map(({ id, ...call }) => [id, call]))
}
