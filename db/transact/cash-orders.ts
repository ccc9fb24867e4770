import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../account-table.ts'
import { hexText, smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'
import type { FinalHeadRow } from './bridge-orders.ts'

/** How an account's erasure and export treat the table. */
export const cashOrderTable = byAccount('cash_order', ['deposit_key', 'block_due', 'time_due'])

/** A new cash-out, as signed. Amounts in smallest units. */
export interface NewCashOrder {
  quoteId: string
  accountId: string
  /** Amount that leaves the account; the zero address is the coin. */
  originChainId: number
  sourceToken: string
  sourceAmount: bigint
  /** The funding address last received its token from a pool. */
  fromIncognito: boolean
  /** The escrow's chain. */
  chainId: number
  escrow: string
  orchestrator: string
  depositor: string
  token: string
  amount: bigint
  /** As the catalogue names them: `venmo`, `USD`. */
  paymentMethod: string
  currency: string
  /** Hash by which the escrow identifies the payee. */
  payeeDetails: string
  /** Price of a whole token, times 1e18: the least accepted, and the quoted one. */
  minRate: bigint
  rate: bigint
  /** See `computeDepositKey`. */
  depositKey: string
}

/**
 * Writes an order together with the intents that make its deposit.
 * @throws UniqueIntegrityConstraintViolationError when the quote already has one.
 */
export async function insertCashOrder(transaction: CommonQueryMethods, order: NewCashOrder): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    insert into cash_order (quote_id, account_id, source_chain_id, source_token, source_amount, from_incognito, chain_id,
      escrow, orchestrator, depositor, token, amount, payment_method, currency, payee_details, minimum_rate, quoted_rate,
      deposit_key, fiat_amount)
    values (${order.quoteId}::uuid, ${order.accountId}::uuid, ${order.originChainId}, ${order.sourceToken},
      ${String(order.sourceAmount)}::numeric, ${order.fromIncognito}, ${order.chainId}, ${order.escrow},
      ${order.orchestrator}, ${order.depositor}, ${order.token}, ${String(order.amount)}::numeric,
      ${order.paymentMethod}, ${order.currency}, ${order.payeeDetails}, ${String(order.minRate)}::numeric,
      ${String(order.rate)}::numeric, ${order.depositKey},
      ${String((order.amount * order.rate) / 10n ** 18n)}::numeric)`)
}

const foundOrder = z.object({
  quoteId: z.string(),
  chainId: smallInteger,
  escrow: hexText,
  depositId: z.bigint(),
  depositor: hexText,
  derivationNonce: z.bigint(),
  token: hexText,
  isClosed: z.boolean(),
})
/** An order of an account whose deposit is in the escrow. */
export type DepositedCashOrder = z.output<typeof foundOrder>

/** The account's order with that deposit of an escrow (in any letter case), or null. */
export function findCashOrder(
  connection: CommonQueryMethods,
  accountId: string,
  { escrow, depositId, chainId = null }: { escrow: string; depositId: bigint; chainId?: number | null },
): Promise<DepositedCashOrder | null> {
  return connection.maybeOne(sql.type(foundOrder)`
    select quote_id as "quoteId", chain_id as "chainId", escrow, deposit_id as "depositId", depositor,
      derivation_nonce as "derivationNonce", token, ended_at is not null as "isClosed"
    from cash_order join stealth_address address on address.account_id = cash_order.account_id and address = depositor
    where cash_order.account_id = ${accountId}::uuid and lower(escrow) = ${escrow.toLowerCase()}
      and deposit_id = ${String(depositId)}::numeric
      and (${chainId}::int8 is null or chain_id = ${chainId}::int8)
    limit 1`)
}

/** Counts the account's cash-outs to a payee. The payee's hash is public in the escrow's events, so an observer can link them. */
export function countCashOuts(
  connection: CommonQueryMethods,
  accountId: string,
  payeeDetails: string,
): Promise<number> {
  return connection.oneFirst(sql.type(z.object({ count: z.int() }))`
    select count(*)::int as count from cash_order
    where account_id = ${accountId}::uuid and payee_details = ${payeeDetails}
      and failure_kind is distinct from 'deposit_failed'`)
}

const digits = z.string().transform(BigInt)
const moment = z.string().transform((text) => new Date(text))
/**
 * Phase of a cash-out.
 * - depositing: the escrow does not have the deposit.
 * - bridging: the deposit is on its way to the escrow's chain.
 * - listed: no buyer has claimed any of it.
 * - matched: buyers have claimed some of it.
 * - partially_filled: some of it is paid for.
 * - completed: all is sold; an unsellable rest went to the protocol.
 * - returned: the unsold amount came back.
 * - failed: the deposit never reached the escrow.
 */
export const cashPhase = z.enum([
  'depositing',
  'bridging',
  'listed',
  'matched',
  'partially_filled',
  'completed',
  'returned',
  'failed',
])
/** Reason why the deposit never reached the escrow. */
export const cashFailure = z.enum(['deposit_failed', 'bridge_refunded', 'bridge_fallback'])
/** State of a cash-out, as all views of its quote show it; a part of rows about quotes, null for other quotes. */
export const cashSummary = z.object({
  phase: cashPhase,
  failureKind: cashFailure.nullable(),
  /** Amount that left the account; the zero address is the coin. Amounts in smallest units. */
  sourceChainId: z.int(),
  sourceToken: hexText,
  sourceAmount: digits,
  fromIncognito: z.boolean(),
  /** The bridge to the escrow's chain; null where it does not cross chains. */
  bridgeProvider: z.string().nullable(),
  chainId: z.int(),
  escrow: hexText,
  token: hexText,
  amount: digits,
  paymentMethod: z.string(),
  currency: z.string(),
  depositId: digits.nullable(),
  deposited: digits,
  filled: digits,
  released: digits,
  withdrawn: digits,
  dust: digits,
  outstanding: digits,
  acceptsBuyers: z.boolean(),
  fiatAmount: digits,
  buyerPaymentDueAt: moment.nullable(),
  recoverableAt: moment.nullable(),
  /** In the token of the quote; null for a quote without one. */
  serviceFee: digits.nullable(),
})
/** A row's cash-out after parsing. */
export type CashSummary = z.output<typeof cashSummary>

/** Column `cash` of rows from `quote`, for {@link cashSummary}. */
export const cashColumn = sql.fragment`(
    select jsonb_build_object('phase', phase, 'failureKind', failure_kind, 'sourceChainId', source_chain_id,
      'sourceToken', cash_order.source_token, 'sourceAmount', cash_order.source_amount::text,
      'fromIncognito', from_incognito,
      'bridgeProvider', bridge_order.provider, 'chainId', cash_order.chain_id, 'escrow', escrow,
      'token', cash_order.token, 'amount', cash_order.amount::text, 'paymentMethod', payment_method,
      'currency', currency, 'depositId', deposit_id::text, 'deposited', deposited::text, 'filled', filled::text,
      'released', released::text, 'withdrawn', withdrawn::text, 'dust', dust::text, 'outstanding', outstanding::text,
      'acceptsBuyers', accepts_buyers,
      'fiatAmount', fiat_amount::text, 'buyerPaymentDueAt', buyer_payment_due_at, 'recoverableAt', recoverable_at,
      'serviceFee', (
        select nullif(sum(service_fee), 0)::text from reservation where reservation.quote_id = quote.id
      ))
    from cash_order left join bridge_order on bridge_order.quote_id = cash_order.quote_id
    where cash_order.quote_id = quote.id
  ) as "cash"`

const depositorRow = z.object({ depositor: hexText })

/**
 * Lists depositors whose cash-outs a final block may have changed without a new event of theirs. It makes an event
 * final, or is later than the end of a buyer's hold. By address, after a given one.
 */
export function listDueCash(
  connection: CommonQueryMethods,
  { chainId, block, time }: FinalHeadRow,
  { after, limit }: { after: string; limit: number },
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(depositorRow)`
    select depositor from (
      select depositor from cash_order
      where chain_id = ${chainId} and block_due is not null and block_due <= ${block}
      union
      select depositor from cash_order
      where chain_id = ${chainId} and time_due is not null and time_due <= ${time}::int8
    ) as due where depositor > ${after} order by depositor limit ${limit}`)
}

/** Lists depositors whose quotes failed before any deposit, and whose cash-outs do not show it yet. */
export function listFailedCash(connection: CommonQueryMethods, limit: number): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(depositorRow)`
    select distinct depositor from cash_order join quote on quote.id = quote_id
    where cash_order.ended_at is null and phase = 'depositing' and quote.status = 'failed'
    order by depositor limit ${limit}`)
}

/** Returns the addresses that cashed out. */
export function listCashAmong(
  connection: CommonQueryMethods,
  addresses: readonly string[],
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(depositorRow)`
    select distinct depositor from cash_order where depositor = any(${sql.array([...addresses], 'text')})`)
}

/** Lists the depositors of the cash-outs of those quotes. */
export function listCashOfQuotes(
  connection: CommonQueryMethods,
  quoteIds: readonly string[],
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(depositorRow)`
    select distinct depositor from cash_order where quote_id = any(${sql.array([...quoteIds], 'uuid')})`)
}

/** Lists depositors whose cash-outs are open, or ended less than `endedMs` ago; by address, after a given one. */
export function listOpenCash(
  connection: CommonQueryMethods,
  { after, limit, endedMs }: { after: string; limit: number; endedMs: number },
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(depositorRow)`
    select depositor from (
      select depositor from cash_order where ended_at is null
      union
      select depositor from cash_order where ended_at > now() - ${endedMs} * interval '1 ms'
    ) as open where depositor > ${after} order by depositor limit ${limit}`)
}
