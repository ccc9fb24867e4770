import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { bridgeEventRow, type BridgeEventRow } from '../chain/indexer/rows.ts'
import { hexText, smallInteger } from '../column-types.ts'
import { isOfDepositor } from '../chain/indexer/own-acts.ts'
import { sql } from '../connect-database.ts'
import { bridgeStatus } from './bridge-orders.ts'

const followedOrder = z.object({
  quoteId: z.string(),
  originChainId: smallInteger,
  destinationChainId: smallInteger,
  depositor: hexText,
  depositRecipient: hexText,
  exclusiveRelayer: hexText,
  inputToken: hexText,
  bridgedToken: hexText,
  inputAmount: z.bigint(),
  bridgedAmount: z.bigint(),
  /** Seconds since 1970, like all times here. */
  quoteTimestamp: smallInteger,
  fillDeadline: smallInteger,
  exclusivityDeadline: smallInteger,
  message: z.string(),
  outputRecipient: hexText,
  outputToken: hexText,
  expectedOutput: z.bigint(),
  minimumOutput: z.bigint(),
  /** The transaction in which the depositor's intent succeeded. */
  executedTx: hexText.nullable(),
  /** True if its quote has failed. */
  hasFailed: z.boolean(),
  status: bridgeStatus,
  depositTx: hexText.nullable(),
  fillTx: hexText.nullable(),
  refundTx: hexText.nullable(),
  arrivedToken: hexText.nullable(),
  arrivedAmount: z.bigint().nullable(),
  originDue: z.bigint().nullable(),
  destinationDue: z.bigint().nullable(),
})
/** An order with its last known state. Amounts in smallest units. */
export type FollowedOrder = z.output<typeof followedOrder>

/** Locks all orders of those depositors until the transaction ends; oldest first. */
export async function lockOrdersOf(
  transaction: CommonQueryMethods,
  depositors: readonly string[],
): Promise<readonly FollowedOrder[]> {
  // A row read by the locking statement may predate the lock: the previous holder may have changed it.
  await transaction.any(sql.type(z.object({ quoteId: z.string() }))`
    select quote_id as "quoteId" from bridge_order where depositor = any(${sql.array([...depositors], 'text')})
    order by created_at, quote_id
    for no key update`)
  return transaction.any(sql.type(followedOrder)`
    select quote_id as "quoteId", origin_chain_id as "originChainId", destination_chain_id as "destinationChainId",
      depositor, deposit_recipient as "depositRecipient", exclusive_relayer as "exclusiveRelayer",
      input_token as "inputToken", bridged_token as "bridgedToken", input_amount as "inputAmount",
      bridged_amount as "bridgedAmount", quote_timestamp as "quoteTimestamp", fill_deadline as "fillDeadline",
      exclusivity_deadline as "exclusivityDeadline", message, output_recipient as "outputRecipient",
      bridge_order.output_token as "outputToken", expected_output as "expectedOutput",
      minimum_output as "minimumOutput", (
        select intent_event.tx_hash from intent join intent_event
          on intent_event.eoa = intent.eoa and intent_event.chain_id = intent.chain_id
            and intent_event.intent_nonce = intent.intent_nonce
        where intent.quote_id = bridge_order.quote_id and intent.eoa = depositor and incremented
          and err = '0x00000000'
        limit 1
      ) as "executedTx", quote.status = 'failed' as "hasFailed", bridge_order.status, deposit_tx as "depositTx",
      fill_tx as "fillTx", refund_tx as "refundTx", arrived_token as "arrivedToken",
      arrived_amount as "arrivedAmount", origin_due as "originDue", destination_due as "destinationDue"
    from bridge_order join quote on quote.id = quote_id
    where depositor = any(${sql.array([...depositors], 'text')})
    order by bridge_order.created_at, quote_id`)
}

const eventColumns = sql.fragment`
  bridge_event.chain_id as "chainId", block_hash as "blockHash", log_index as "logIndex", item,
  block_number as "blockNumber", block_time as "blockTime", bridge_event.tx_hash as "txHash", kind, address,
  bridge_event.token, bridge_event.amount, is_deferred as "isDeferred", relay_key as "relayKey",
  deposit_id as "depositId", quote_timestamp as "quoteTimestamp", fallback_recipient as "fallbackRecipient"`

/** Reads deposits that intents of those depositors made in those transactions, in chain order. */
export async function readDepositsIn(
  connection: CommonQueryMethods,
  executions: readonly { chainId: number; txHash: string; depositor: string }[],
): Promise<readonly BridgeEventRow[]> {
  if (executions.length === 0) return []
  return connection.any(sql.type(bridgeEventRow)`
    select ${eventColumns} from (
      select distinct * from ${sql.unnest(
        executions.map(({ chainId, txHash, depositor }) => [chainId, txHash, depositor]),
        ['int8', 'text', 'text'],
      )} as executed (chain_id, tx_hash, depositor)
    ) as wanted cross join lateral (
      select * from bridge_event as logged
      where logged.chain_id = wanted.chain_id and logged.tx_hash = wanted.tx_hash offset 0
    ) as bridge_event
    where kind = 'deposit' and ${isOfDepositor('bridge_event')}
    order by bridge_event.chain_id, block_number, log_index`)
}

/** Reads fills by their keys, and refunds to those addresses, in chain order. */
export async function readFillsAndRefunds(
  connection: CommonQueryMethods,
  relayKeys: readonly string[],
  addresses: readonly string[],
): Promise<readonly BridgeEventRow[]> {
  if (relayKeys.length === 0) return []
  return connection.any(sql.type(bridgeEventRow)`
    select ${eventColumns} from bridge_event
    where kind = 'fill' and relay_key = any(${sql.array([...relayKeys], 'text')})
    union all
    select ${eventColumns} from bridge_event
    where kind in ('refund', 'refund-claim') and address = any(${sql.array([...addresses], 'text')})
    order by "chainId", "blockNumber", "logIndex", item`)
}

const arrival = z.object({
  chainId: smallInteger,
  txHash: hexText,
  to: hexText,
  token: hexText,
  amount: z.bigint(),
})
/** A receipt at an address of an account in a transaction; amount in the smallest unit. */
export type OrderArrival = z.output<typeof arrival>

/** Reads receipts at addresses in those transactions, as far as accounts own the addresses. */
export async function readArrivals(
  connection: CommonQueryMethods,
  wanted: readonly { chainId: number; txHash: string; to: string }[],
): Promise<readonly OrderArrival[]> {
  if (wanted.length === 0) return []
  return connection.any(sql.type(arrival)`
    select transfer.chain_id as "chainId", transfer.tx_hash as "txHash", to_address as "to", token, amount
    from ${sql.unnest(
      wanted.map(({ chainId, txHash, to }) => [chainId, txHash, to]),
      ['int8', 'text', 'text'],
    )} as wanted (chain_id, tx_hash, recipient)
    join transfer on transfer.chain_id = wanted.chain_id and transfer.tx_hash = wanted.tx_hash
      and to_address = recipient
    where standard in ('native', 'erc20')`)
}

/** State of an order according to the chains. */
export interface OrderState {
  status: z.output<typeof bridgeStatus>
  /** Transactions are named as soon as they are indexed, and are final when the status says so. */
  depositTx: `0x${string}` | null
  fillTx: `0x${string}` | null
  refundTx: `0x${string}` | null
  /** Amount that the recipient got, or that was refunded; smallest unit. */
  arrived: { token: string; amount: bigint } | null
  /** Blocks whose finality changes the status without a further event; null if there is none. */
  originDue: bigint | null
  destinationDue: bigint | null
}

/** Writes the new states of orders; their rows must be locked. */
export async function writeOrders(
  transaction: CommonQueryMethods,
  orders: readonly (OrderState & { quoteId: string })[],
): Promise<void> {
  if (orders.length === 0) return
  const cells = orders.map((order) => [
    order.quoteId,
    order.status,
    order.depositTx,
    order.fillTx,
    order.refundTx,
    order.arrived?.token ?? null,
    order.arrived ? String(order.arrived.amount) : null,
    order.originDue,
    order.destinationDue,
  ])
  await transaction.query(sql.typeAlias('void')`
    update bridge_order set status = found.status, deposit_tx = found.deposit_tx, fill_tx = found.fill_tx,
      refund_tx = found.refund_tx, arrived_token = found.arrived_token, arrived_amount = found.arrived_amount,
      origin_due = found.origin_due, destination_due = found.destination_due, updated_at = now(),
      deposit_seen_at = coalesce(deposit_seen_at, case when found.deposit_tx is not null then now() end),
      fill_seen_at = case when found.fill_tx is not null then coalesce(fill_seen_at, now()) end,
      ended_at = case when found.status in ('completed', 'refunded', 'failed') then coalesce(ended_at, now()) end
    from ${sql.unnest(cells, ['uuid', 'text', 'text', 'text', 'text', 'text', 'numeric', 'int8', 'int8'])}
      as found (quote_id, status, deposit_tx, fill_tx, refund_tx, arrived_token, arrived_amount, origin_due,
        destination_due)
    where bridge_order.quote_id = found.quote_id`)
}
