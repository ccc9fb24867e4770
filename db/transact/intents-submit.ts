import { UniqueIntegrityConstraintViolationError, type CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { bytesOfHex, hexText, smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'
import { byQuote } from '../account-table.ts'

/** What an account's erasure and export make of it. */
export const intentTable = byQuote('intent', ['encoded'])

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
  /** Wei that sending cost when the fee was reckoned. */
  gasCost: z.bigint(),
  /** Whether it was quoted without a service fee. */
  feeWaived: z.boolean(),
  expiresAt: z.date(),
  submittedAt: z.date().nullable(),
})
/** A quote as submitting it needs to know it. */
export type SubmittableQuote = z.output<typeof submittableQuote>

/** A quote of the account; null where it has none of that id. */
export function findSubmittableQuote(
  connection: CommonQueryMethods,
  accountId: string,
  quoteId: string,
): Promise<SubmittableQuote | null> {
  return connection.maybeOne(sql.type(submittableQuote)`
    select id, kind, status, chain_id as "chainId", token, amount, recipient, terms, token_decimals as "tokenDecimals", network_fee as "networkFee",
      gas_cost as "gasCost", fee_waived as "feeWaived", expires_at as "expiresAt", submitted_at as "submittedAt",
      case when output_token is not null
        then jsonb_build_object('token', output_token, 'expected', output_amount::text, 'minimum', output_minimum::text)
        end as output, is_volatile as "isVolatile",
      coalesce(asked -> 'details', '{}') as details, extract(epoch from now() - created_at)::float8 * 1000 as "ageMs"
    from quote where id = ${quoteId}::uuid and account_id = ${accountId}::uuid`)
}

/**
 * Quotes of an account that ended within a time with an intent that was mined and did not pay.
 * @param which `isVolatile`: those whose output may change until they are mined, or the others alone.
 */
export function countUnpaidQuotes(
  connection: CommonQueryMethods,
  accountId: string,
  { withinMs, isVolatile }: { withinMs: number; isVolatile: boolean },
): Promise<number> {
  return connection.oneFirst(sql.type(z.object({ count: z.int() }))`
    select count(distinct quote_id)::int4 as count from intent join quote on quote.id = quote_id
    where intent.account_id = ${accountId}::uuid and intent.status = 'failed' and intent.tx_hash is not null
      and intent.ended_at > now() - ${withinMs} * interval '1 ms'
      and is_volatile = ${isVolatile}`)
}

/** How many quotes of an account were confirmed and paid for their gas; counted up to `most`. */
export function countPaidQuotes(
  connection: CommonQueryMethods,
  accountId: string,
  most: number,
): Promise<number> {
  return connection.oneFirst(sql.type(z.object({ count: z.int() }))`
    select count(*)::int4 as count from (
      select from quote where account_id = ${accountId}::uuid and submitted_at is not null and status = 'confirmed'
        and network_fee > 0 limit ${most}
    ) as paid`)
}

/** Locks an account until the transaction ends: others that submit for it wait. */
export async function lockSender(transaction: CommonQueryMethods, accountId: string): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    select from account where id = ${accountId}::uuid for no key update`)
}

/** Quotes of an account that were submitted and have no end yet: all of them, and those that are volatile or not. */
export function countUnderWay(
  connection: CommonQueryMethods,
  accountId: string,
  { isVolatile }: { isVolatile: boolean },
): Promise<{ all: number; alike: number }> {
  return connection.one(sql.type(z.object({ all: z.int(), alike: z.int() }))`
    select count(*)::int4 as "all", (count(*) filter (where is_volatile = ${isVolatile}))::int4 as alike
    from quote where account_id = ${accountId}::uuid and status = 'submitted'`)
}

/** Moves a quote from locked to submitted; false when it is not locked any more, or has run out. */
export async function markSubmitted(
  connection: CommonQueryMethods,
  accountId: string,
  quoteId: string,
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    update quote set status = 'submitted', submitted_at = now()
    where id = ${quoteId}::uuid and account_id = ${accountId}::uuid and status = 'locked' and expires_at > now()`)
  return rowCount === 1
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

/** Queues the intents of a quote. */
export async function insertIntents(
  connection: CommonQueryMethods,
  quote: { quoteId: string; accountId: string; chainId: number; fromBlock: bigint },
  intents: readonly NewIntent[],
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    insert into intent (id, quote_id, account_id, chain_id, from_block, place, eoa, intent_nonce, encoded, combined_gas,
      transaction_gas, delegation, expires_at, alone, not_before)
    select id, ${quote.quoteId}::uuid, ${quote.accountId}::uuid, ${quote.chainId}, ${quote.fromBlock}, place, eoa,
      intent_nonce, encoded, combined_gas, transaction_gas, delegation::jsonb, to_timestamp(expires_at), alone,
      now() + delay_ms * interval '1 ms'
    from ${sql.unnest(
      intents.map((intent) => [
        intent.id,
        intent.place,
        intent.eoa,
        intent.intentNonce,
        bytesOfHex(intent.encoded),
        intent.combinedGas,
        intent.transactionGas,
        intent.delegation && JSON.stringify(intent.delegation),
        Math.floor(intent.expiresAt.getTime() / 1_000),
        intent.alone,
        intent.delayMs,
      ]),
      ['uuid', 'int4', 'text', 'numeric', 'bytea', 'int8', 'int8', 'text', 'int8', 'bool', 'float8'],
    )} as intent (id, place, eoa, intent_nonce, encoded, combined_gas, transaction_gas, delegation, expires_at, alone,
      delay_ms)`)
}

/** Erases what was signed of intents that ended longer than `retainMs` ago; hashes and outcomes stay. */
export async function forgetEndedIntents(connection: CommonQueryMethods, retainMs: number): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    update intent set encoded = null, delegation = null
    where ended_at < now() - ${retainMs} * interval '1 ms' and encoded is not null`)
}
