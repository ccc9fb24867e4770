import { UniqueIntegrityConstraintViolationError, type CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { bytesOfHex, hexText, smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'
import { byQuote } from '../account-table.ts'

/** What an account's erasure and export make of it. */
export const intentTable = byQuote('intent', ['encoded', 'network'])

type Hex = `0x${string}`

const submittableQuote = z.object({
  id: z.string(),
  /** Name of the kind of quote. */
  kind: z.string(),
  status: z.enum(['locked', 'submitted', 'confirmed', 'failed', 'unlocked', 'expired', 'replaced']),
  chainId: smallInteger,
  token: hexText,
  /** Spent without fees, smallest unit. */
  amount: z.bigint(),
  /** Null once it ended without being submitted. */
  recipient: hexText.nullable(),
  /** What the recipient gets, smallest unit, where that is not what is spent. */
  output: z
    .object({
      token: hexText,
      expected: z.string().transform(BigInt),
      minimum: z.string().transform(BigInt),
    })
    .nullable(),
  /** What comes out may have changed since. */
  isVolatile: z.boolean(),
  /** What the plan of the quote kept. */
  details: z.record(z.string(), z.unknown()),
  /** Milliseconds since it was made. */
  ageMs: z.number(),
  /** The signed document, less its signature. */
  terms: z.record(z.string(), z.unknown()),
  /** Of the spent token. */
  tokenDecimals: z.int().nullable(),
  /** What of the token is paid for gas, smallest unit. */
  networkFee: z.bigint(),
  /** Wei that sending cost when the fee was computed. */
  gasCost: z.bigint(),
  /** The address to which the last call of each intent pays the fees; null where an earlier version kept none. */
  feeReceiver: hexText.nullable(),
  /** Whether its fee is in a token that the operator listed. */
  feeListed: z.boolean(),
  /** Whether it was quoted without a service fee. */
  feeWaived: z.boolean(),
  expiresAt: z.date(),
  submittedAt: z.date().nullable(),
  /** What else the account has without pay. */
  others: z.object({
    /** Quotes that were mined within a time and did not pay; of those that are as volatile as this one. */
    unpaid: z.int(),
    /** Quotes that were submitted and have no end yet, and of these the ones that are as volatile. */
    underWay: z.int(),
    alike: z.int(),
  }),
  /** The activation offer was taken. */
  hasActivated: z.boolean(),
})
/** A quote as submitting it needs to know it. */
export type SubmittableQuote = z.output<typeof submittableQuote>

/**
 * A quote of the account; null where it has none of that id.
 * @param unpaidWindowMs For how long a quote counts that was mined and did not pay.
 */
export function findSubmittableQuote(
  connection: CommonQueryMethods,
  accountId: string,
  quoteId: string,
  unpaidWindowMs: number,
): Promise<SubmittableQuote | null> {
  return connection.maybeOne(sql.type(submittableQuote)`
    select id, kind, status, chain_id as "chainId", token, amount, recipient, terms, token_decimals as "tokenDecimals", network_fee as "networkFee",
      gas_cost as "gasCost", fee_receiver as "feeReceiver", fee_listed as "feeListed", fee_waived as "feeWaived", expires_at as "expiresAt", submitted_at as "submittedAt",
      case when output_token is not null
        then jsonb_build_object('token', output_token, 'expected', output_amount::text, 'minimum', output_minimum::text)
        end as output, is_volatile as "isVolatile",
      coalesce(asked -> 'details', '{}') as details, extract(epoch from now() - created_at)::float8 * 1000 as "ageMs",
      jsonb_build_object('unpaid', unpaid, 'underWay', under_way, 'alike', alike) as others,
      exists (select from fee_waiver where fee_waiver.account_id = quote.account_id and source = 'activation') as "hasActivated"
    from quote cross join lateral quotes_without_pay(account_id, is_volatile, ${unpaidWindowMs}) as others
    where id = ${quoteId}::uuid and account_id = ${accountId}::uuid`)
}

/** How many quotes of an account were confirmed and paid for their gas in listed tokens; counted up to `most`. */
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

/** The delegation that goes with an intent, signed. */
export interface IntentDelegation {
  contractAddress: Hex
  authorizationNonce: number
  signature: Hex
}

/** A signed intent that is to be executed. */
export interface NewIntent {
  id: string
  place: number
  eoa: string
  intentNonce: bigint
  /** abi.encode(Intent), signed. */
  encoded: Hex
  combinedGas: bigint
  transactionGas: bigint
  delegation: IntentDelegation | null
  expiresAt: Date
  /** It shares its transaction with no other of its account. */
  alone: boolean
  /** Milliseconds from now before which it enters no batch. */
  delayMs: number
}

/** Whether an insert met an intent that was submitted before, by whatever quote. */
export const isIntentTaken = (error: unknown): boolean =>
  error instanceof UniqueIntegrityConstraintViolationError && error.constraint === 'intent_once'

const submission = z.object({
  /** overtaken: others of the account were submitted or failed. ended: it is not locked any more, or has run out. */
  outcome: z.enum(['submitted', 'overtaken', 'ended']),
  unpaid: z.int(),
  underWay: z.int(),
  alike: z.int(),
})

/**
 * Moves a quote from locked to submitted and queues its intents, by one statement that needs no transaction around it.
 * @param quote `others`: what else the account has, as it was judged: where there is more by now, nothing is written.
 * `network`: a keyed name of the client's. `paidContact`: whom the account's book is told to have been paid, where it has such a contact.
 * @returns What came of it, and what else the account has now.
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
    others: SubmittableQuote['others']
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
 * Notes that the intents of a quote go alone and once, in the transaction that queues them.
 * @param contracts Of strangers that they run.
 */
export async function isolateIntents(
  transaction: CommonQueryMethods,
  quoteId: string,
  contracts: readonly string[],
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    update intent set contracts = ${sql.array([...contracts], 'text')} where quote_id = ${quoteId}::uuid`)
}

/** Erases what was signed of intents that ended longer than `retainMs` ago; hashes and outcomes stay. */
export async function forgetEndedIntents(connection: CommonQueryMethods, retainMs: number): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    update intent set encoded = null, delegation = null, network = null
    where id = any(array(
      select id from intent where ended_at < now() - ${retainMs} * interval '1 ms' and encoded is not null
      for no key update skip locked))`)
}
