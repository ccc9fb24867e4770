import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'
import { quoteState } from './quotes.ts'
import { orderColumn, orderSummary } from './bridge-orders.ts'
import { cashColumn, cashSummary } from './cash-orders.ts'

/** Relay progress of a quote; a part of rows about quotes. */
export const relayProgress = z.object({
  quoteId: z.string(),
  status: quoteState,
  failure: z.string().nullable(),
  submittedAt: z.date().nullable(),
  /** Hash of the newest transaction with one of its intents that a node accepted or that was mined. */
  txHash: hexText.nullable(),
  /** Its block, while a reorg may still remove it. */
  minedBlock: z.bigint().nullable(),
  /** Per intent, in order: the transaction that executed it, or the newest one with it. */
  txHashes: z.array(hexText).nullable(),
  /** Hash of the first intent that succeeded. */
  succeededHash: hexText.nullable(),
  /** Due time of the last open intent that goes alone; null without one. */
  dueAt: z.date().nullable(),
  intentCount: smallInteger,
  succeededCount: smallInteger,
  updatedAt: z.date(),
  /** Its bridge order. */
  order: orderSummary.nullable(),
  /** Its cash-out. */
  cash: cashSummary.nullable(),
})
/** A quote's status with its transactions sent so far. */
export type RelayProgressRow = z.output<typeof relayProgress>

/** Columns of {@link relayProgress}, from `quote` joined with {@link relayJoin}. */
export const relayColumns = sql.fragment`
  quote.id as "quoteId", quote.status, quote.failure,
  quote.submitted_at as "submittedAt", relay.hashes[array_upper(relay.hashes, 1)] as "txHash",
  relay.mined_block as "minedBlock", relay.hashes as "txHashes", relay.succeeded_hash as "succeededHash",
  relay.due_at as "dueAt", coalesce(relay.count, 0) as "intentCount", coalesce(relay.succeeded, 0) as "succeededCount",
  greatest((select bridge_order.updated_at from bridge_order where bridge_order.quote_id = quote.id),
    (select cash_order.updated_at from cash_order where cash_order.quote_id = quote.id),
    coalesce(quote.ended_at, greatest(relay.moved_at, quote.submitted_at), quote.created_at)) as "updatedAt",
  ${orderColumn}, ${cashColumn}`

/**
 * Lateral join of a quote with its intents and the transactions that carry them; see {@link relayColumns}.
 */
export const relayJoin = sql.fragment`
  left join lateral (
    select count(*) as count, count(*) filter (where intent.status = 'succeeded') as succeeded,
      (array_agg(intent.tx_hash order by place) filter (where intent.status = 'succeeded'))[1] as succeeded_hash,
      array_agg(coalesce(sent.hash, intent.tx_hash) order by place)
        filter (where sent.hash is not null or intent.tx_hash is not null) as hashes,
      max(intent.not_before) filter (where alone and intent.status in ('queued', 'batched')) as due_at,
      max(sent.mined_block) as mined_block, max(sent.moved_at) as moved_at
    from intent left join lateral (
      select coalesce(outbound_tx.mined_hash, attempt.hash) as hash, outbound_tx.mined_block_number as mined_block,
        attempt.created_at as moved_at
      from intent_batch join outbound_tx on outbound_tx.id = outbound_id left join lateral (
        select hash, created_at from outbound_attempt
        where outbound_attempt.outbound_id = outbound_tx.id and delivery = 'accepted'
        order by created_at desc limit 1
      ) attempt on true
      where intent_batch.id = intent.batch_id and intent.status = 'batched'
    ) sent on true
    where intent.quote_id = quote.id
  ) relay on true`

/** Reads the relay progress of the account's quotes among those ids. */
export function readRelayProgress(
  connection: CommonQueryMethods,
  accountId: string,
  quoteIds: readonly string[],
): Promise<readonly RelayProgressRow[]> {
  return connection.any(sql.type(relayProgress)`
    select ${relayColumns} from quote ${relayJoin}
    where account_id = ${accountId}::uuid and quote.id = any(${sql.array([...quoteIds], 'uuid')})`)
}
