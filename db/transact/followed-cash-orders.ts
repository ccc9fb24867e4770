import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { cashEventRow, type CashEventRow } from '../chain/indexer/rows.ts'
import { hexText, smallInteger } from '../column-types.ts'
import { isOfDepositor } from '../chain/indexer/own-acts.ts'
import { sql } from '../connect-database.ts'
import { bridgeStatus } from './bridge-orders.ts'
import { cashFailure, cashPhase } from './cash-orders.ts'

const cashState = z.object({
  phase: cashPhase,
  failureKind: cashFailure.nullable(),
  /** The deposit's number in the escrow. */
  depositId: z.bigint().nullable(),
  depositTx: hexText.nullable(),
  /** Includes amounts added later. */
  deposited: z.bigint(),
  /** Amount that left the escrow for buyers. */
  filled: z.bigint(),
  /** Part of `filled` that the seller released by hand, without a proof of payment. */
  released: z.bigint(),
  withdrawn: z.bigint(),
  dust: z.bigint(),
  /** Amount claimed by buyers whose time to pay is not over. */
  outstanding: z.bigint(),
  /** True if the escrow has the deposit and accepts buyers for it. */
  acceptsBuyers: z.boolean(),
  /**
   * Price of the deposit in fiat, with the token's decimals. Sold and claimed amounts count at the agreed rates, the rest
   * at the quoted rate. A rate that no buyer would pay counts as the quoted one.
   */
  fiatAmount: z.bigint(),
  /** Earliest end of a live claim; null without one. */
  buyerPaymentDueAt: z.date().nullable(),
  /** Earliest time at which the whole unsold amount can be withdrawn; null if nothing is left. */
  recoverableAt: z.date().nullable(),
  /** Block whose finality changes the phase without a further event; null if there is none. */
  blockDue: z.bigint().nullable(),
  /** Time of the chain at which the next claim expires; seconds since 1970. */
  timeDue: smallInteger.nullable(),
})
/** State of a cash-out as last determined from events. Amounts in smallest units. */
export type CashState = z.output<typeof cashState>

const followedOrder = cashState.extend({
  quoteId: z.string(),
  sourceChainId: smallInteger,
  chainId: smallInteger,
  escrow: hexText,
  depositor: hexText,
  amount: z.bigint(),
  quotedRate: z.bigint(),
  depositKey: hexText,
  /** The transaction in which the depositor's intent succeeded. */
  executedTx: hexText.nullable(),
  /** True if its quote has failed. */
  hasFailed: z.boolean(),
  /** The bridge order to the escrow's chain; null where it does not cross chains. */
  bridge: z
    .object({
      status: bridgeStatus,
      depositTx: hexText.nullable(),
      fillTx: hexText.nullable(),
    })
    .nullable(),
})
/** A cash-out with its last known state. */
export type FollowedCashOrder = z.output<typeof followedOrder>

/** Locks all cash-outs of those depositors until the transaction ends; oldest first. */
export async function lockCashOrdersOf(
  transaction: CommonQueryMethods,
  depositors: readonly string[],
): Promise<readonly FollowedCashOrder[]> {
  // A row read by the locking statement may predate the lock: the previous holder may have changed it.
  await transaction.any(sql.type(z.object({ quoteId: z.string() }))`
    select quote_id as "quoteId" from cash_order where depositor = any(${sql.array([...depositors], 'text')})
    order by created_at, quote_id
    for no key update`)
  return transaction.any(sql.type(followedOrder)`
    select quote_id as "quoteId", source_chain_id as "sourceChainId", cash_order.chain_id as "chainId", escrow, depositor,
      cash_order.amount, quoted_rate as "quotedRate", deposit_key as "depositKey", (
        select intent_event.tx_hash from intent join intent_event
          on intent_event.eoa = intent.eoa and intent_event.chain_id = intent.chain_id
            and intent_event.intent_nonce = intent.intent_nonce
        where intent.quote_id = cash_order.quote_id and intent.eoa = depositor and incremented
          and err = '0x00000000'
        limit 1
      ) as "executedTx", quote.status = 'failed' as "hasFailed", (
        select jsonb_build_object('status', bridge_order.status, 'depositTx', bridge_order.deposit_tx,
          'fillTx', bridge_order.fill_tx)
        from bridge_order where bridge_order.quote_id = cash_order.quote_id
      ) as bridge, phase, failure_kind as "failureKind", deposit_id as "depositId", deposit_tx as "depositTx", deposited,
      filled, released, withdrawn, dust, outstanding, accepts_buyers as "acceptsBuyers", fiat_amount as "fiatAmount",
      buyer_payment_due_at as "buyerPaymentDueAt", recoverable_at as "recoverableAt", block_due as "blockDue",
      time_due as "timeDue"
    from cash_order join quote on quote.id = quote_id
    where depositor = any(${sql.array([...depositors], 'text')})
    order by cash_order.created_at, quote_id`)
}

const eventColumns = sql.fragment`
  cash_event.chain_id as "chainId", block_hash as "blockHash", log_index as "logIndex", block_number as "blockNumber",
  block_time as "blockTime", cash_event.tx_hash as "txHash", kind, address, cash_event.escrow,
  cash_event.deposit_id as "depositId", deposit_key as "depositKey", amount, intent_hash as "intentHash",
  expires_at as "expiresAt", rate, held, flag`

/**
 * Reads deposits for those depositors with escrows in those transactions, in chain order. Their own intents made them,
 * or, where `isFilled`, the filler of their bridge order did.
 */
export async function readCashDeposits(
  connection: CommonQueryMethods,
  places: readonly { chainId: number; txHash: string; depositor: string; isFilled: boolean }[],
): Promise<readonly CashEventRow[]> {
  if (places.length === 0) return []
  return connection.any(sql.type(cashEventRow)`
    select ${eventColumns} from (
      select distinct * from ${sql.unnest(
        places.map(({ chainId, txHash, depositor, isFilled }) => [chainId, txHash, depositor, isFilled]),
        ['int8', 'text', 'text', 'bool'],
      )} as place (chain_id, tx_hash, depositor, is_filled)
    ) as wanted cross join lateral (
      select * from cash_event as logged
      where logged.chain_id = wanted.chain_id and logged.tx_hash = wanted.tx_hash offset 0
    ) as cash_event
    where kind = 'received' and (is_filled or ${isOfDepositor('cash_event')})
    order by cash_event.chain_id, block_number, log_index`)
}

/** Reads all events of those deposits, in chain order. */
export async function readCashEvents(
  connection: CommonQueryMethods,
  deposits: readonly Pick<CashEventRow, 'chainId' | 'escrow' | 'depositId'>[],
): Promise<readonly CashEventRow[]> {
  if (deposits.length === 0) return []
  return connection.any(sql.type(cashEventRow)`
    select ${eventColumns} from ${sql.unnest(
      deposits.map(({ chainId, escrow, depositId }) => [chainId, escrow, String(depositId)]),
      ['int8', 'text', 'numeric'],
    )} as wanted (chain_id, escrow, deposit_id) cross join lateral (
      select * from cash_event as logged
      where logged.chain_id = wanted.chain_id and logged.escrow = wanted.escrow
        and logged.deposit_id = wanted.deposit_id offset 0
    ) as cash_event
    order by cash_event.chain_id, block_number, log_index`)
}

type FoundCashOrder = CashState & { quoteId: string }
const COLUMNS: readonly [
  name: string,
  type: string,
  read: (order: FoundCashOrder) => string | number | boolean | null,
][] = [
  ['quote_id', 'uuid', (order) => order.quoteId],
  ['phase', 'text', (order) => order.phase],
  ['failure_kind', 'text', (order) => order.failureKind],
  ['deposit_id', 'numeric', (order) => digitsOf(order.depositId)],
  ['deposit_tx', 'text', (order) => order.depositTx],
  ['deposited', 'numeric', (order) => String(order.deposited)],
  ['filled', 'numeric', (order) => String(order.filled)],
  ['released', 'numeric', (order) => String(order.released)],
  ['withdrawn', 'numeric', (order) => String(order.withdrawn)],
  ['dust', 'numeric', (order) => String(order.dust)],
  ['outstanding', 'numeric', (order) => String(order.outstanding)],
  ['accepts_buyers', 'bool', (order) => order.acceptsBuyers],
  ['fiat_amount', 'numeric', (order) => String(order.fiatAmount)],
  ['buyer_payment_due_at', 'timestamptz', (order) => order.buyerPaymentDueAt?.toISOString() ?? null],
  ['recoverable_at', 'timestamptz', (order) => order.recoverableAt?.toISOString() ?? null],
  ['block_due', 'int8', (order) => digitsOf(order.blockDue)],
  ['time_due', 'int8', (order) => order.timeDue],
]

const digitsOf = (amount: bigint | null) => (amount === null ? null : String(amount))

/** Writes the new states of cash-outs; their rows must be locked. */
export async function writeCashOrders(
  transaction: CommonQueryMethods,
  orders: readonly FoundCashOrder[],
): Promise<void> {
  if (orders.length === 0) return
  const names = COLUMNS.map(([name]) => sql.identifier([name]))
  const sets = COLUMNS.slice(1).map(
    ([name]) => sql.fragment`${sql.identifier([name])} = ${sql.identifier(['found', name])}`,
  )
  await transaction.query(sql.typeAlias('void')`
    update cash_order set ${sql.join(sets, sql.fragment`, `)}, updated_at = now(),
      ended_at = case when found.phase in ('completed', 'returned', 'failed') then coalesce(ended_at, now()) end
    from ${sql.unnest(
      orders.map((order) => COLUMNS.map(([, , read]) => read(order))),
      COLUMNS.map(([, type]) => type),
    )} as found (${sql.join(names, sql.fragment`, `)})
    where cash_order.quote_id = found.quote_id`)
}
