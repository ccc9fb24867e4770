import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../account-table.ts'
import { hexText } from '../column-types.ts'
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
/** State of an order, as all views of its quote show it; a part of rows about quotes, null for a quote without one. */
export const orderSummary = z.object({
  status: z.enum(['pending', 'confirmed_source', 'completed', 'expired', 'refunded', 'failed']),
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
