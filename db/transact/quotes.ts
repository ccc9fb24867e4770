import { UniqueIntegrityConstraintViolationError, type CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'
import { isDeposited } from '../upkeep-tasks.ts'
import { byAccount } from '../account-table.ts'
import { reservingFunds, type Reservation } from './reservations.ts'

/** How an account's erasure and export treat the table. */
export const quoteTable = byAccount('quote')

/** The column `quote.status`; clients see finer steps of `submitted`. */
export const quoteState = z.enum([
  'locked',
  'submitted',
  'confirmed',
  'failed',
  'unlocked',
  'expired',
  'replaced',
])
/** A state of a quote. `relayer/transact/quotes/quote-machine.ts` has the steps between them. */
export type QuoteState = z.output<typeof quoteState>

/** The parts of the request that the terms do not contain. */
const asked = z.object({
  maxSend: z.boolean().default(false),
  /** The recipient as checked. */
  recipient: z.record(z.string(), z.unknown()).nullable().default(null),
  /** Details that the quote's kind needs to plan it again. */
  details: z.record(z.string(), z.unknown()).default({}),
  /** The client agreed to join addresses whose money comes from different origins. */
  isMixed: z.boolean().default(false),
})

/** The row of a {@link QuoteRow}. */
export const quoteRow = z.object({
  id: z.string(),
  accountId: z.string(),
  /** Name of the kind of quote. */
  kind: z.string(),
  status: quoteState,
  chainId: smallInteger,
  token: hexText,
  /** Decimals of the spent token; null where an earlier version stored none. */
  tokenDecimals: z.int().nullable(),
  /** Amount spent, without fees. */
  amount: z.bigint(),
  /** Null once it ended unsubmitted; terms and `asked` are then empty. */
  recipient: hexText.nullable(),
  terms: z.record(z.string(), z.unknown()),
  asked,
  /** Amount that the recipient gets, smallest unit; null where it is `amount` of `token`. */
  output: z
    .object({
      token: hexText,
      expected: z.string().transform(BigInt),
      minimum: z.string().transform(BigInt),
    })
    .nullable(),
  /** True if its output may change until it is mined. */
  isVolatile: z.boolean(),
  /** In the spent token's smallest unit, like the service fee. */
  networkFee: z.bigint(),
  serviceFee: z.bigint(),
  /** Wei that sending cost when the fee was computed. */
  gasCost: z.bigint(),
  /** The address to which the last call of each intent pays the fees; null where an earlier version stored none. */
  feeReceiver: hexText.nullable(),
  /** True if the fee is taken in a token that the operator lists. */
  feeListed: z.boolean(),
  /** True if it was quoted without a service fee. */
  feeWaived: z.boolean(),
  submittedAt: z.date().nullable(),
  /** Milliseconds since its creation. */
  ageMs: z.number(),
  expiresAt: z.date(),
  /** By the database's clock. */
  hasExpired: z.boolean(),
})
/** A stored quote. Amounts are in the token's smallest unit, `gasCost` is in wei. */
export type QuoteRow = z.output<typeof quoteRow>

/** A quote to be written. */
export interface NewQuote extends Omit<
  QuoteRow,
  'status' | 'hasExpired' | 'recipient' | 'feeReceiver' | 'submittedAt' | 'ageMs'
> {
  recipient: string
  /** Rate of the service fee in basis points. */
  feeBps: number
  feeReceiver: string
  /** Millionths of a dollar; null without a price. */
  serviceFeeUsdMicros: bigint | null
  replaces: string | null
}

/** Columns of {@link quoteRow}, from `quote`. */
export const quoteColumns = sql.fragment`
  id, account_id as "accountId", kind, status, chain_id as "chainId", token, token_decimals as "tokenDecimals", amount,
  recipient, case when output_token is not null
    then jsonb_build_object('token', output_token, 'expected', output_amount::text, 'minimum', output_minimum::text)
    end as output, is_volatile as "isVolatile", terms, asked, network_fee as "networkFee", service_fee as "serviceFee",
  gas_cost as "gasCost", fee_receiver as "feeReceiver", fee_listed as "feeListed", fee_waived as "feeWaived",
  submitted_at as "submittedAt", extract(epoch from now() - created_at)::float8 * 1000 as "ageMs",
  expires_at as "expiresAt", expires_at <= now() as "hasExpired"`

/** True if an insert collided with another quote that pays the same address, which serves one quote alone. */
export const isOutputTaken = (error: unknown): boolean =>
  error instanceof UniqueIntegrityConstraintViolationError && error.constraint === 'quote_fresh_output'

const inserting = (quote: NewQuote) => sql.fragment`
    insert into quote (id, account_id, kind, chain_id, token, amount, recipient, terms, asked, network_fee,
      service_fee, service_fee_usd_micros, fee_listed, fee_waived, gas_cost, expires_at, replaces, token_decimals, fee_bps, fee_receiver,
      output_token, output_amount, output_minimum, is_volatile)
    values (${quote.id}, ${quote.accountId}, ${quote.kind}, ${quote.chainId}, ${quote.token}, ${quote.amount},
      ${quote.recipient}, ${sql.jsonb(quote.terms)}, ${sql.jsonb(quote.asked)}, ${quote.networkFee},
      ${quote.serviceFee}, ${quote.serviceFeeUsdMicros}, ${quote.feeListed}, ${quote.feeWaived}, ${quote.gasCost}, ${sql.timestamp(quote.expiresAt)},
      ${quote.replaces}, ${quote.tokenDecimals}, ${quote.feeBps}, ${quote.feeReceiver}, ${quote.output?.token ?? null},
      ${quote.output?.expected ?? null}, ${quote.output?.minimum ?? null}, ${quote.isVolatile})`

/**
 * Writes a quote whose funds are locked in the same transaction.
 * @throws UniqueIntegrityConstraintViolationError (see {@link isOutputTaken}).
 */
export async function insertQuote(connection: CommonQueryMethods, quote: NewQuote): Promise<void> {
  await connection.query(sql.typeAlias('void')`${inserting(quote)}`)
}

/**
 * Writes a quote and locks its funds, in one statement that needs no surrounding transaction.
 * @throws UniqueIntegrityConstraintViolationError (see {@link isOutputTaken}); CheckIntegrityConstraintViolationError
 *   (see `isOverPromise`) when an address has too little left.
 */
export async function insertLockingQuote(
  connection: CommonQueryMethods,
  quote: NewQuote,
  rows: readonly Reservation[],
): Promise<void> {
  // The function sees the quote, because it runs after the row is written.
  await connection.query(sql.typeAlias('void')`
    with written as (${inserting(quote)} returning id)
    select from written cross join lateral ${reservingFunds(sql.fragment`written.id`, rows)}`)
}

/**
 * Narrows the row of a quote that has not ended unsubmitted: it has a recipient.
 * @throws Error for another one.
 */
export function withRecipient<Row extends { recipient: QuoteRow['recipient'] }>(
  row: Row,
): Row & { recipient: NonNullable<Row['recipient']> } {
  const { recipient } = row
  if (recipient === null) throw new Error('a quote that ended unsubmitted has no recipient')
  return { ...row, recipient }
}

/** An account's quote; null for an unknown id. */
export function findQuote(
  connection: CommonQueryMethods,
  accountId: string,
  quoteId: string,
): Promise<QuoteRow | null> {
  return connection.maybeOne(sql.type(quoteRow)`
    select ${quoteColumns} from quote where id = ${quoteId} and account_id = ${accountId}`)
}

/** The same, locked until the transaction ends. Lock a quote before changing its status. */
export function lockQuote(
  connection: CommonQueryMethods,
  accountId: string,
  quoteId: string,
): Promise<QuoteRow | null> {
  return connection.maybeOne(sql.type(quoteRow)`
    select ${quoteColumns} from quote where id = ${quoteId} and account_id = ${accountId} for update`)
}

/** Most quotes of one account that ended unsubmitted: seven megabytes. */
const MOST_LAPSED = 5_000
/** Quotes beyond that limit that one ending quote deletes. */
const LAPSED_AT_ONCE = 10

/**
 * Ends a quote that still locks funds, and erases its recipient, terms, request and app calls. Also deletes some of the
 * account's unsubmitted quotes beyond the newest 5,000.
 *
 * @returns False when it no longer locked funds: then nothing changed.
 */
export async function endLockedQuote(
  connection: CommonQueryMethods,
  quoteId: string,
  to: QuoteState,
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    with ended as (
      update quote set status = ${to}, ended_at = now(), recipient = null, terms = '{}', asked = '{}'
      where id = ${quoteId} and status = 'locked' returning id, account_id
    ), forgotten as (
      delete from dapp_call using ended where quote_id = ended.id
    ), excess as (
      select lapsed.id from quote as lapsed join ended on ended.account_id = lapsed.account_id
      where lapsed.status in ('unlocked', 'expired', 'replaced')
      order by lapsed.ended_at desc offset ${MOST_LAPSED} limit ${LAPSED_AT_ONCE} for update of lapsed skip locked
    ), dropped as (
      delete from quote using excess where quote.id = excess.id and not ${isDeposited}
    )
    select from ended`)
  return rowCount === 1
}

const idRow = z.object({ id: z.string() })

/** Locks some expired quotes; skips those locked by others. */
export async function lockExpiredQuotes(
  connection: CommonQueryMethods,
  limit: number,
  except: readonly string[] = [],
): Promise<readonly string[]> {
  const rows = await connection.any(sql.type(idRow)`
    select id from quote where status = 'locked' and expires_at <= now()
      and id <> all(${sql.array([...except], 'uuid')})
    order by expires_at limit ${limit} for update skip locked`)
  return rows.map(({ id }) => id)
}
