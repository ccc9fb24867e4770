import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'
import { orderColumn, orderSummary } from '../transact/bridge-orders.ts'
import { cashColumn, cashSummary } from '../transact/cash-orders.ts'
import { quoteState } from '../transact/quotes.ts'
import { relayColumns, relayJoin, relayProgress } from '../transact/intents-progress.ts'

const amount = z.string().transform(BigInt)

/** Terms of a submitted quote that the chain does not show; shared by the rows about quotes. */
const quoteFacts = z.object({
  /** Name of the kind of quote. */
  kind: z.string(),
  chainId: smallInteger,
  token: hexText,
  recipient: hexText,
  /** Amount that the recipient gets, smallest unit; null where it equals the amount spent. */
  output: z.object({ token: hexText, amount }).nullable(),
  /** Rate of the service fee in basis points; null where an earlier version stored none. */
  feeBps: z.number().nullable(),
  /** Recipient of the fees; null where an earlier version stored none. */
  feeReceiver: hexText.nullable(),
  /** The amount that each address pays, fees included, and its fees; in the order of the intents. */
  payments: z.array(z.object({ address: hexText, amount, fee: amount })),
})

/** Columns of {@link quoteFacts}, from `quote`. */
const quoteColumns = sql.fragment`
  quote.kind, quote.chain_id as "chainId", quote.token, quote.recipient, quote.fee_bps as "feeBps",
  quote.fee_receiver as "feeReceiver", case when output_token is not null
    then jsonb_build_object('token', output_token, 'amount', output_amount::text) end as output, coalesce((
    select jsonb_agg(jsonb_build_object('address', paid.address, 'amount', (paid.amount - paid.moved)::text,
      'fee', (paid.network_fee + paid.service_fee)::text) order by place)
    from intent join reservation as paid on paid.quote_id = intent.quote_id and paid.chain_id = intent.chain_id
      and paid.address = intent.eoa and paid.token = quote.token
    where intent.quote_id = quote.id
  ), '[]') as payments`

const pendingRow = relayProgress.extend({
  ...quoteFacts.shape,
  /** Number of its intents that the indexer has seen succeed, and the block of the last. */
  indexedCount: smallInteger,
  indexedBlock: z.bigint().nullable(),
  /** The escrow from which it recovers a deposit; null for other kinds of quote. */
  takenFrom: hexText.nullable(),
})
/** A submitted quote that is pending or ended recently. */
export type PendingRow = z.output<typeof pendingRow>

const MOST = 200

/**
 * Lists the account's quotes that are pending or ended less than `keptMs` ago; their bridge orders and cash-outs count
 * too. Newest first, at most 200.
 *
 * @param only Narrows to quotes that an address funds or receives, or to ids.
 */
export function listPendingQuotes(
  connection: CommonQueryMethods,
  accountId: string,
  keptMs: number,
  only: { address?: string | undefined; quoteIds?: readonly string[] } = {},
): Promise<readonly PendingRow[]> {
  const { address, quoteIds } = only
  const involved =
    address === undefined
      ? sql.fragment`true`
      : sql.fragment`(quote.recipient = ${address}
          or exists (select from intent where intent.quote_id = quote.id and eoa = ${address}))`
  const named =
    quoteIds === undefined
      ? sql.fragment`true`
      : sql.fragment`quote.id = any(${sql.array([...quoteIds], 'uuid')})`
  return connection.any(sql.type(pendingRow)`
    select ${relayColumns}, ${quoteColumns}, seen.count as "indexedCount", seen.block as "indexedBlock", (
      select escrow from cash_withdrawal where cash_withdrawal.quote_id = quote.id
    ) as "takenFrom"
    from quote ${relayJoin} cross join lateral (
      select count(distinct intent.id) as count, max(block_number) as block
      from intent join intent_event
        on intent_event.eoa = intent.eoa and intent_event.chain_id = intent.chain_id
          and intent_event.intent_nonce = intent.intent_nonce
      where intent.quote_id = quote.id and incremented and err = '0x00000000'
    ) seen
    where account_id = ${accountId}::uuid and quote.submitted_at is not null
      and (quote.status = 'submitted' or quote.ended_at > now() - ${keptMs} * interval '1 ms'
        or quote.id = any(array(
          select quote_id from bridge_order where bridge_order.account_id = ${accountId}::uuid
            and (bridge_order.ended_at is null or bridge_order.ended_at > now() - ${keptMs} * interval '1 ms')
          union
          select quote_id from cash_order where cash_order.account_id = ${accountId}::uuid
            and (cash_order.ended_at is null or cash_order.ended_at > now() - ${keptMs} * interval '1 ms')
        )))
      and ${involved} and ${named}
    order by quote.submitted_at desc, quote.id limit ${MOST}`)
}

const sendingRow = quoteFacts.extend({
  order: orderSummary.nullable(),
  cash: cashSummary.nullable(),
  txHash: hexText,
  quoteId: z.string(),
  status: quoteState,
  /** Of the intents that this transaction executed. */
  eoas: z.array(hexText),
  /** Of all transactions that executed some of the quote, in the order of its intents. */
  txHashes: z.array(hexText),
})
/** A quote of the account that a transaction executed, no matter who sent the transaction. */
export type SendingRow = z.output<typeof sendingRow>

/** Finds the account's quotes that those transactions executed, wholly or in part. */
export function findSendings(
  connection: CommonQueryMethods,
  accountId: string,
  transactions: readonly { chainId: number; txHash: string }[],
): Promise<readonly SendingRow[]> {
  return connection.any(sql.type(sendingRow)`
    select ${quoteColumns}, ${orderColumn}, ${cashColumn}, event.tx_hash as "txHash", quote.id as "quoteId", quote.status,
      array_agg(distinct event.eoa) as eoas, (
        select array_agg(other.tx_hash order by intent.place)
        from intent join intent_event other
          on other.eoa = intent.eoa and other.chain_id = intent.chain_id and other.intent_nonce = intent.intent_nonce
        where intent.quote_id = quote.id and other.incremented
      ) as "txHashes"
    from ${sql.unnest(
      transactions.map(({ chainId, txHash }) => [chainId, txHash]),
      ['int8', 'text'],
    )} as wanted (chain_id, tx_hash)
    join intent_event event on event.chain_id = wanted.chain_id and event.tx_hash = wanted.tx_hash
    join intent on intent.eoa = event.eoa and intent.chain_id = event.chain_id
      and intent.intent_nonce = event.intent_nonce
    join quote on quote.id = intent.quote_id
    where intent.account_id = ${accountId}::uuid and event.incremented
    group by event.chain_id, event.tx_hash, quote.id`)
}
