import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { holdingUnfinished, notifying } from './outbound-rows.ts'
import { hexText, smallInteger } from '../../column-types.ts'

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
  /** Wei that its fee covers, and its expected gas; null without a fee. */
  covered: z.bigint().nullable(),
  likelyGas: z.bigint().nullable(),
  /** Size of its calldata, and number of its delegations. */
  dataBytes: z.int(),
  delegations: z.int(),
  minedHash: hexText.nullable(),
  minedBlockHash: hexText.nullable(),
  /** Reason why it can only fail by now; null while it may succeed. */
  pointless: z.string().nullable(),
  /** True if it can only fail, and has no form yet that is an empty transfer. */
  needsEmptyForm: z.boolean(),
  /** Newest first. */
  attempts: z.array(
    z.object({
      hash: hexText,
      delivery: z.enum(['unknown', 'accepted', 'refused']),
      maxFeePerGas: z.string().transform(BigInt),
      maxPriorityFeePerGas: z.string().transform(BigInt),
      /** Milliseconds since it was signed, by the database's clock alone. */
      ageMs: z.number(),
    }),
  ),
})
/** A signed transaction that is not final. */
export type UnfinishedOutbound = z.output<typeof unfinishedRow>

/** Lists the signed, unfinished transactions of a chain whose signer no other instance leases, in nonce order. */
export function listUnfinished(
  pool: CommonQueryMethods,
  chainId: number,
  owner: string,
): Promise<readonly UnfinishedOutbound[]> {
  return pool.any(sql.type(unfinishedRow)`
    select outbound.id, kind, reference, status, outbound.signer, tx_nonce as "txNonce", value, refusals,
      covered, likely_gas as "likelyGas", coalesce(octet_length(data), 0) as "dataBytes",
      coalesce(jsonb_array_length(authorizations), 0) as delegations, mined_hash as "minedHash", mined_block_hash as "minedBlockHash", pointless,
      pointless is not null and attempt.newest <= pointless_at as "needsEmptyForm", attempt.list as attempts
    from outbound_tx outbound cross join lateral (
      select jsonb_agg(jsonb_build_object(
          'hash', hash, 'delivery', delivery, 'maxFeePerGas', max_fee_per_gas::text,
          'maxPriorityFeePerGas', max_priority_fee_per_gas::text,
          'ageMs', extract(epoch from clock_timestamp() - created_at) * 1000
        ) order by created_at desc) as list, max(created_at) as newest
      from outbound_attempt where outbound_id = outbound.id
    ) attempt
    where chain_id = ${chainId} and status in ('signed', 'sent') and not exists (
      select from signer
      where signer.chain_id = outbound.chain_id and address = outbound.signer
        and lease_owner <> ${owner}::uuid and lease_until > now())
    order by outbound.signer, tx_nonce`)
}

/** An attempt that a node accepted. */
export interface AcceptedAttempt {
  hash: Hex
  outboundId: string
  /** Notify even if its row does not move. */
  isNews: boolean
  /** Notification for the other instances. */
  message: string
}

/**
 * Records that a node accepted the attempts, and notifies of them. Its commit does not wait for the disk: after a crash
 * at worst the attempts are offered again.
 * @returns Ids of the rows that moved from signed to sent.
 */
export async function markAccepted(
  transaction: CommonQueryMethods,
  attempts: readonly AcceptedAttempt[],
): Promise<Set<string>> {
  const rows = await transaction.any(sql.type(z.object({ id: z.string().nullable() }))`
    with listed as (
      select * from ${sql.unnest(
        attempts.map(({ hash, outboundId, isNews, message }) => [hash, outboundId, isNews, message]),
        ['text', 'uuid', 'bool', 'text'],
      )} as listed (hash, outbound_id, is_news, message)
    ), accepted as (
      update outbound_attempt set delivery = 'accepted', refusal = null
      from listed where outbound_attempt.hash = listed.hash returning outbound_attempt.outbound_id
    ), moved as (
      update outbound_tx set status = 'sent', refusals = 0
      where id in (select outbound_id from accepted) and status = 'signed' returning id
    ), told as (
      select ${notifying(sql.fragment`message`)} from listed left join moved on moved.id = listed.outbound_id
      where is_news or moved.id is not null
    )
    select moved.id
    from (select count(*), set_config('synchronous_commit', 'off', true) from told) as told left join moved on true`)
  return new Set(rows.flatMap(({ id }) => id ?? []))
}

/**
 * Records why nodes refused a form, and counts refusals of unknown meaning on its transaction.
 *
 * Locks the transaction before its form, as every sender does (`outbound-forms.ts`); that rules out deadlock. The
 * second statement sees the lease as committed while the first waited.
 *
 * @param refusal `delivery`: `refused` when no node has it, `unknown` when one may have it. Recorded as `refused` only
 *   while `lessee` holds the signer's lease; otherwise another instance may have offered the form since.
 */
export async function markRefused(
  pool: CommonQueryMethods,
  hash: Hex,
  {
    message,
    delivery,
    unexplained,
    lessee,
  }: { message: string; delivery: 'refused' | 'unknown'; unexplained: 0 | 1; lessee: string },
): Promise<void> {
  await pool.transaction(async (transaction) => {
    await transaction.query(sql.typeAlias('void')`
      select from outbound_tx where id = (select outbound_id from outbound_attempt where hash = ${hash})
      for no key update`)
    await transaction.query(sql.typeAlias('void')`
      with refused as (
        update outbound_attempt set refusal = ${message},
          delivery = case when delivery = 'unknown' and exists (
            select from outbound_tx outbound join signer using (chain_id)
            where outbound.id = outbound_id and address = outbound.signer and lease_owner = ${lessee}::uuid
              and lease_until > clock_timestamp()) then ${delivery} else delivery end
        where hash = ${hash} returning outbound_id
      )
      update outbound_tx set refusals = refusals + ${unexplained}
      where id in (select outbound_id from refused)`)
  })
}

/** The block that a transaction was seen in, to be recorded. */
export interface MinedMark {
  id: string
  /** Null when a reorg took the transaction out again. */
  block: { hash: Hex; blockHash: Hex; blockNumber: bigint; succeeded: boolean } | null
}

/** Records the blocks of receipts, or that a reorg removed them. */
export async function markMined(pool: CommonQueryMethods, marks: readonly MinedMark[]): Promise<void> {
  const held = holdingUnfinished(marks.map(({ id }) => id))
  await pool.query(sql.typeAlias('void')`
    update outbound_tx set status = 'sent', mined_hash = mark.hash, mined_block_hash = mark.block_hash,
      mined_block_number = mark.block_number, mined_well = mark.succeeded
    from ${sql.unnest(
      marks.map(({ id, block }) => [
        id,
        block?.hash ?? null,
        block?.blockHash ?? null,
        block?.blockNumber ?? null,
        block?.succeeded ?? null,
      ]),
      ['uuid', 'text', 'text', 'int8', 'bool'],
    )} as mark (id, hash, block_hash, block_number, succeeded)
    where outbound_tx.id = mark.id and outbound_tx.id = any(${held})`)
}
