import { UniqueIntegrityConstraintViolationError, type CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { bytesOfHex } from '../column-types.ts'
import { sql } from '../connect-database.ts'
import { quoteColumns, quoteRow } from './quotes.ts'
import { byQuote } from '../account-table.ts'

/** How an account's erasure and export treat the table. */
export const intentTable = byQuote('intent', ['encoded', 'network'])

type Hex = `0x${string}`

const submittable = quoteRow.extend({
  /** Other unpaid quotes of the account. */
  others: z.object({
    /** Quotes of equal volatility that were mined within the window without paying. */
    unpaid: z.int(),
    /** Submitted quotes without an end, and those of them with equal volatility. */
    underWay: z.int(),
    alike: z.int(),
  }),
  /** True if the account claimed the activation offer. */
  hasActivated: z.boolean(),
})
/** A quote with the facts needed to submit it. */
export type Submittable = z.output<typeof submittable>

/**
 * Finds a quote of the account; null for an unknown id.
 * @param unpaidWindowMs Period in which a quote counts that was mined without paying.
 */
export function findSubmittableQuote(
  connection: CommonQueryMethods,
  accountId: string,
  quoteId: string,
  unpaidWindowMs: number,
): Promise<Submittable | null> {
  return connection.maybeOne(sql.type(submittable)`
    select ${quoteColumns},
      jsonb_build_object('unpaid', unpaid, 'underWay', under_way, 'alike', alike) as others,
      exists (select from fee_waiver where fee_waiver.account_id = quote.account_id and source = 'activation') as "hasActivated"
    from quote cross join lateral quotes_without_pay(account_id, is_volatile, ${unpaidWindowMs}) as others
    where id = ${quoteId}::uuid and account_id = ${accountId}::uuid`)
}

/** Counts an account's quotes that were confirmed and paid for their gas in listed tokens, up to `most`. */
export function countPaidQuotes(
  connection: CommonQueryMethods,
  accountId: string,
  most: number,
): Promise<number> {
  return connection.oneFirst(sql.type(z.object({ count: z.int() }))`
    select count(*)::int4 as count from (
      select from quote where account_id = ${accountId}::uuid and submitted_at is not null and status = 'confirmed'
        and network_fee > 0 and fee_listed limit ${most}
    ) as paid`)
}

/** The signed delegation sent with an intent. */
export interface SentDelegation {
  contractAddress: Hex
  authorizationNonce: number
  signature: Hex
}

/** A signed intent to be executed. */
export interface NewIntent {
  id: string
  place: number
  eoa: string
  intentNonce: bigint
  /** abi.encode(Intent), signed. */
  encoded: Hex
  combinedGas: bigint
  transactionGas: bigint
  delegation: SentDelegation | null
  expiresAt: Date
  /** True if it shares its transaction with no other of its account. */
  alone: boolean
  /** Milliseconds from now before which it enters no batch. */
  delayMs: number
}

/** True if an intent was submitted before, by any quote. */
export const isIntentTaken = (error: unknown): boolean =>
  error instanceof UniqueIntegrityConstraintViolationError && error.constraint === 'intent_once'

const submission = z.object({
  /** overtaken: other quotes of the account were submitted or failed meanwhile. ended: it is no longer locked, or has expired. */
  outcome: z.enum(['submitted', 'overtaken', 'ended']),
  unpaid: z.int(),
  underWay: z.int(),
  alike: z.int(),
})

/**
 * Moves a quote from locked to submitted and queues its intents. One statement, so no surrounding transaction is
 * needed.
 *
 * @param quote `others`: the account's other unpaid quotes as they were checked; if there are more by now, nothing is
 *   written. `network`: keyed hash of the client's network. `paidContact`: address to mark as paid in the account's
 *   address book, if it is a contact.
 * @returns The outcome, and the account's other unpaid quotes now.
 * @throws UniqueIntegrityConstraintViolationError (see {@link isIntentTaken}).
 */
export function submitIntents(
  connection: CommonQueryMethods,
  quote: {
    quoteId: string
    accountId: string
    network: string | null
    fromBlock: bigint
    isVolatile: boolean
    unpaidWindowMs: number
    others: Submittable['others']
    paidContact: string | null
  },
  intents: readonly NewIntent[],
): Promise<z.output<typeof submission>> {
  const { others } = quote
  const column = (
    valueOf: (intent: NewIntent) => string | number | bigint | boolean | Buffer | null,
    type: string,
  ) => sql.array(intents.map(valueOf), type)
  return connection.one(sql.type(submission)`
    select outcome, unpaid, under_way as "underWay", alike from submit_quote(
      ${quote.quoteId}::uuid, ${quote.accountId}::uuid, ${quote.fromBlock}::int8, ${quote.isVolatile}::bool,
      ${quote.unpaidWindowMs}::float8, ${others.unpaid}::int4, ${others.underWay}::int4, ${others.alike}::int4,
      ${quote.paidContact}::text, ${quote.network}::text,
      ${column(({ id }) => id, 'uuid')},
      ${column(({ place }) => place, 'int4')},
      ${column(({ eoa }) => eoa, 'text')},
      ${column(({ intentNonce }) => intentNonce, 'numeric')},
      ${column(({ encoded }) => bytesOfHex(encoded), 'bytea')},
      ${column(({ combinedGas }) => combinedGas, 'int8')},
      ${column(({ transactionGas }) => transactionGas, 'int8')},
      ${column(({ delegation }) => delegation && JSON.stringify(delegation), 'text')},
      ${column(({ expiresAt }) => Math.floor(expiresAt.getTime() / 1_000), 'int8')},
      ${column(({ alone }) => alone, 'bool')},
      ${column(({ delayMs }) => delayMs, 'float8')})`)
}

/**
 * Marks the intents of a quote to go alone and once, in the transaction that queues them.
 * @param contracts Contracts of strangers that they run.
 */
export async function isolateIntents(
  transaction: CommonQueryMethods,
  quoteId: string,
  contracts: readonly string[],
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    update intent set contracts = ${sql.array([...contracts], 'text')} where quote_id = ${quoteId}::uuid`)
}

/** Erases the signed parts of intents that ended longer than `retainMs` ago; hashes and outcomes stay. */
export async function forgetEndedIntents(connection: CommonQueryMethods, retainMs: number): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    update intent set encoded = null, delegation = null, network = null
    where id = any(array(
      select id from intent where ended_at < now() - ${retainMs} * interval '1 ms' and encoded is not null
      for no key update skip locked))`)
}
