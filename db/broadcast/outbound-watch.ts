import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'
import {
  hexBytes,
  hexText,
  outboundAuthorization,
  type SignedAttempt,
  smallInteger,
} from './outbound-rows.ts'
import { insertAttempt } from './outbound-queue.ts'

type Hex = `0x${string}`

const unfinishedRow = z.object({
  id: z.string(),
  kind: z.string(),
  reference: z.string(),
  status: z.enum(['signed', 'sent']),
  signer: hexText,
  txNonce: smallInteger,
  value: z.bigint(),
  refusals: z.int(),
  minedHash: hexText.nullable(),
  minedBlockHash: hexText.nullable(),
  /** Newest first. */
  attempts: z.array(
    z.object({
      hash: hexText,
      delivery: z.enum(['unknown', 'accepted', 'refused']),
      maxFeePerGas: z.string().transform(BigInt),
      maxPriorityFeePerGas: z.string().transform(BigInt),
      /** Milliseconds since 1970. */
      createdAt: z.number(),
    }),
  ),
})
/** A signed transaction that is not final. */
export type UnfinishedOutbound = z.output<typeof unfinishedRow>

/** The signed, unfinished transactions of a chain that no other instance looks after, in nonce order. */
export function listUnfinished(
  pool: CommonQueryMethods,
  chainId: number,
  owner: string,
): Promise<readonly UnfinishedOutbound[]> {
  return pool.any(sql.type(unfinishedRow)`
    select outbound.id, kind, reference, status, outbound.signer, tx_nonce as "txNonce", value, refusals,
      mined_hash as "minedHash", mined_block_hash as "minedBlockHash", attempt.list as attempts
    from outbound_tx outbound cross join lateral (
      select jsonb_agg(jsonb_build_object(
          'hash', hash, 'delivery', delivery, 'maxFeePerGas', max_fee_per_gas::text,
          'maxPriorityFeePerGas', max_priority_fee_per_gas::text,
          'createdAt', extract(epoch from created_at) * 1000
        ) order by created_at desc) as list
      from outbound_attempt where outbound_id = outbound.id
    ) attempt
    where chain_id = ${chainId} and status in ('signed', 'sent') and not exists (
      select from signer
      where signer.chain_id = outbound.chain_id and address = outbound.signer
        and lease_owner <> ${owner}::uuid and lease_until > now())
    order by outbound.signer, tx_nonce`)
}

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

/** Notes that a node took the attempts; gives the ids of the rows that thereby moved from signed to sent. */
export async function markAccepted(
  transaction: CommonQueryMethods,
  hashes: readonly Hex[],
): Promise<Set<string>> {
  const rows = await transaction.any(sql.type(z.object({ id: z.string() }))`
    with accepted as (
      update outbound_attempt set delivery = 'accepted', refusal = null
      where hash = any(${sql.array([...hashes], 'text')}) returning outbound_id
    )
    update outbound_tx set status = 'sent', refusals = 0
    where id in (select outbound_id from accepted) and status = 'signed' returning id`)
  return new Set(rows.map(({ id }) => id))
}

/** Notes why a node did not take an attempt. @param isCertain No node can have it. */
export async function markRefused(
  pool: CommonQueryMethods,
  hash: Hex,
  { message, isCertain, counts }: { message: string; isCertain: boolean; counts: boolean },
): Promise<void> {
  await pool.query(sql.typeAlias('void')`
    with refused as (
      update outbound_attempt set refusal = ${message},
        delivery = case when ${isCertain} and delivery = 'unknown' then 'refused' else delivery end
      where hash = ${hash} returning outbound_id
    )
    update outbound_tx set refusals = refusals + ${counts ? 1 : 0}
    where id in (select outbound_id from refused)`)
}

export interface MinedMark {
  id: string
  /** Null when a reorg took the transaction out again. */
  block: { hash: Hex; blockHash: Hex; blockNumber: bigint } | null
}

/** Notes where receipts were seen, or not any more. */
export async function markMined(pool: CommonQueryMethods, marks: readonly MinedMark[]): Promise<void> {
  await pool.query(sql.typeAlias('void')`
    update outbound_tx set status = 'sent', mined_hash = mark.hash, mined_block_hash = mark.block_hash,
      mined_block_number = mark.block_number
    from ${sql.unnest(
      marks.map(({ id, block }) => [
        id,
        block?.hash ?? null,
        block?.blockHash ?? null,
        block?.blockNumber ?? null,
      ]),
      ['uuid', 'text', 'text', 'int8'],
    )} as mark (id, hash, block_hash, block_number)
    where outbound_tx.id = mark.id and status in ('signed', 'sent')`)
}

const callRow = z.object({
  to: hexText,
  data: hexBytes,
  value: z.bigint(),
  gasLimit: z.bigint(),
  authorizations: z.array(outboundAuthorization).nullable(),
})

/** The call of a transaction that is signed with that nonce and not mined, locked; null when it is not so any more. */
export function lockUnmined(
  transaction: CommonQueryMethods,
  { id, signer, txNonce }: { id: string; signer: string; txNonce: number },
): Promise<z.output<typeof callRow> | null> {
  return transaction.maybeOne(sql.type(callRow)`
    select to_address as "to", data, value, gas_limit as "gasLimit", authorizations from outbound_tx
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
    update outbound_tx set reserved = ${attempt.reserved} where id = ${outboundId}`)
}
