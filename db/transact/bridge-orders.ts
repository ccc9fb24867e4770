import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../account-table.ts'
import { hexText, smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'

/** How an account's erasure and export treat the table. */
export const bridgeOrderTable = byAccount('bridge_order', ['origin_due', 'destination_due'])

/** A deposit with a bridge. Amounts in smallest units, times in seconds since 1970. */
interface OrderedDeposit {
  provider: 'across'
  originChainId: number
  destinationChainId: number
  depositor: string
  recipient: string
  exclusiveRelayer: string
  inputToken: string
  outputToken: string
  inputAmount: bigint
  outputAmount: bigint
  quoteTimestamp: number
  fillDeadline: number
  exclusivityDeadline: number
  /** Calls that the recipient makes with the payment; `0x` for none. */
  message: string
}

/** A new order: the signed deposit, and the output that the account wants. The zero address is the coin. */
export interface NewBridgeOrder {
  quoteId: string
  accountId: string
  deposit: OrderedDeposit
  outputRecipient: string
  outputToken: string
  /** In the smallest unit of the output token, like the next. */
  expectedOutput: bigint
  minimumOutput: bigint
  sourceToken: string
  sourceAmount: bigint
  /** Milliseconds; null where the bridge gives no estimate. */
  estimatedFillMs: number | null
}

/**
 * Writes an order together with the intents that make its deposit.
 * @throws UniqueIntegrityConstraintViolationError when the quote already has one.
 */
export async function insertBridgeOrder(
  transaction: CommonQueryMethods,
  order: NewBridgeOrder,
): Promise<void> {
  const { deposit } = order
  await transaction.query(sql.typeAlias('void')`
    insert into bridge_order (quote_id, account_id, provider, origin_chain_id, destination_chain_id, depositor,
      deposit_recipient, exclusive_relayer, input_token, bridged_token, input_amount, bridged_amount, quote_timestamp,
      fill_deadline, exclusivity_deadline, message, source_token, source_amount, output_recipient, output_token,
      expected_output, minimum_output, estimated_fill_ms)
    values (${order.quoteId}::uuid, ${order.accountId}::uuid, ${deposit.provider}, ${deposit.originChainId},
      ${deposit.destinationChainId}, ${deposit.depositor}, ${deposit.recipient}, ${deposit.exclusiveRelayer},
      ${deposit.inputToken}, ${deposit.outputToken}, ${String(deposit.inputAmount)}::numeric,
      ${String(deposit.outputAmount)}::numeric, ${deposit.quoteTimestamp}, ${deposit.fillDeadline},
      ${deposit.exclusivityDeadline}, ${deposit.message}, ${order.sourceToken},
      ${String(order.sourceAmount)}::numeric, ${order.outputRecipient}, ${order.outputToken},
      ${String(order.expectedOutput)}::numeric, ${String(order.minimumOutput)}::numeric, ${order.estimatedFillMs})`)
}

/** Most fills that count: last month's delays say nothing about today. */
const NEWEST_FILLS = 50

/**
 * Reads the median duration of the newest 50 fills of a token between two chains, in milliseconds from the deposit.
 * Null without enough fills.
 *
 * @param leastFills Fewer fills are not significant.
 */
export function readFillTimeMs(
  connection: CommonQueryMethods,
  route: { originChainId: number; destinationChainId: number; inputToken: string },
  leastFills = 1,
): Promise<number | null> {
  return connection.oneFirst(sql.type(z.object({ median: z.int().nullable() }))`
    select case when count(*) >= ${leastFills}
      then least(round(extract(epoch from percentile_disc(0.5) within group (order by took)) * 1000), 2147483647)::int end as median
    from (
      select greatest(fill_seen_at - deposit_seen_at, interval '0') as took from bridge_order
      where origin_chain_id = ${route.originChainId} and destination_chain_id = ${route.destinationChainId}
        and input_token = ${route.inputToken} and fill_seen_at is not null and deposit_seen_at is not null
      order by fill_seen_at desc limit ${NEWEST_FILLS}
    ) as newest`)
}

const digits = z.string().transform(BigInt)
/**
 * Status of an order.
 * - pending: its deposit is not final.
 * - confirmed_source: it waits for a fill.
 * - completed, refunded, failed: final unless a reorg undoes the events.
 * - expired: the fill deadline has passed, and it waits for its refund.
 */
export const bridgeStatus = z.enum([
  'pending',
  'confirmed_source',
  'completed',
  'expired',
  'refunded',
  'failed',
])
/** State of an order, as all views of its quote show it; a part of rows about quotes, null for a quote without one. */
export const orderSummary = z.object({
  status: bridgeStatus,
  depositTx: hexText.nullable(),
  fillTx: hexText.nullable(),
  refundTx: hexText.nullable(),
  originChainId: z.int(),
  destinationChainId: z.int(),
  /** Amount that the account gave; the zero address is the coin. Amounts in smallest units. */
  sourceToken: hexText,
  sourceAmount: digits,
  outputToken: hexText,
  expectedOutput: digits,
  outputRecipient: hexText,
  /** Amount that arrived, or was refunded on the origin chain. */
  arrivedToken: hexText.nullable(),
  arrivedAmount: digits.nullable(),
  estimatedFillMs: z.int().nullable(),
  /** Seconds since 1970. */
  fillDeadline: z.int(),
})
/** A row's order after parsing. */
export type OrderSummary = z.output<typeof orderSummary>

/** Column `order` of rows from `quote`, for {@link orderSummary}. */
export const orderColumn = sql.fragment`(
    select jsonb_build_object('status', status, 'depositTx', deposit_tx, 'fillTx', fill_tx, 'refundTx', refund_tx,
      'originChainId', origin_chain_id, 'destinationChainId', destination_chain_id, 'sourceToken', source_token,
      'sourceAmount', source_amount::text, 'outputToken', output_token, 'expectedOutput', expected_output::text,
      'outputRecipient', output_recipient, 'arrivedToken', arrived_token, 'arrivedAmount', arrived_amount::text,
      'estimatedFillMs', estimated_fill_ms, 'fillDeadline', fill_deadline)
    from bridge_order where bridge_order.quote_id = quote.id
  ) as "order"`

const headRow = z.object({ chainId: smallInteger, block: z.bigint(), time: smallInteger.nullable() })
/** The newest final indexed block of a chain, and its time in seconds since 1970; null once the block is no longer stored. */
export type FinalHeadRow = z.output<typeof headRow>

/**
 * Reads the newest final block of chains, as far as they are indexed.
 * @param chains Chains, each with the number of blocks above a final one.
 */
export function readFinalHeads(
  connection: CommonQueryMethods,
  chains: readonly { chainId: number; confirmations: number }[],
): Promise<readonly FinalHeadRow[]> {
  return connection.any(sql.type(headRow)`
    select chain.chain_id as "chainId", block_number - confirmations as block,
      extract(epoch from mined_at)::int8 as time
    from ${sql.unnest(
      chains.map(({ chainId, confirmations }) => [chainId, confirmations]),
      ['int8', 'int4'],
    )} as wanted (chain_id, confirmations)
    join indexed_chain chain on chain.chain_id = wanted.chain_id and block_hash is not null
    left join indexed_block on indexed_block.chain_id = chain.chain_id and number = block_number - confirmations`)
}

const depositorRow = z.object({ depositor: hexText })

/**
 * Lists depositors whose orders a final block may have changed without a new event of theirs. It makes an event final,
 * or is later than a deadline. By address, after a given one.
 */
export function listDueDepositors(
  connection: CommonQueryMethods,
  { chainId, block, time }: FinalHeadRow,
  { after, limit }: { after: string; limit: number },
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(depositorRow)`
    select depositor from (
      select depositor from bridge_order
      where origin_chain_id = ${chainId} and origin_due is not null and origin_due <= ${block}
      union
      select depositor from bridge_order
      where destination_chain_id = ${chainId} and destination_due is not null and destination_due <= ${block}
      union
      select depositor from bridge_order
      where destination_chain_id = ${chainId} and status = 'confirmed_source' and destination_due is null
        and fill_deadline < ${time}::int8
    ) as due where depositor > ${after} order by depositor limit ${limit}`)
}

/** Lists depositors whose quotes failed before any deposit, and whose orders do not show it yet. */
export function listFailedDepositors(
  connection: CommonQueryMethods,
  limit: number,
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(depositorRow)`
    select distinct depositor from bridge_order join quote on quote.id = quote_id
    where bridge_order.ended_at is null and bridge_order.status = 'pending' and quote.status = 'failed'
    order by depositor limit ${limit}`)
}

/** Lists the depositors of bridge orders that the addresses deposited or are paid by. */
export function listDepositorsAmong(
  connection: CommonQueryMethods,
  addresses: readonly string[],
): Promise<readonly string[]> {
  const wanted = sql.array([...addresses], 'text')
  return connection.anyFirst(sql.type(depositorRow)`
    select depositor from bridge_order where depositor = any(${wanted})
    union select depositor from bridge_order where output_recipient = any(${wanted})`)
}

/** Lists depositors whose orders are open, or ended less than `endedMs` ago; by address, after a given one. */
export function listOpenDepositors(
  connection: CommonQueryMethods,
  { after, limit, endedMs }: { after: string; limit: number; endedMs: number },
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(depositorRow)`
    select depositor from (
      select depositor from bridge_order where ended_at is null
      union
      select depositor from bridge_order where ended_at > now() - ${endedMs} * interval '1 ms'
    ) as open where depositor > ${after} order by depositor limit ${limit}`)
}
