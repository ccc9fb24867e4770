import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'
import type { QuoteState } from './quotes.ts'
import { byQuote } from '../account-table.ts'

const batchedIntent = z.object({
  id: z.string(),
  quoteId: z.string(),
  chainId: smallInteger,
  eoa: hexText,
  intentNonce: z.bigint(),
  /** Kind of its quote. */
  kind: z.string(),
  feeListed: z.boolean(),
})
/** An intent whose transaction is being settled. */
export type BatchedIntent = z.output<typeof batchedIntent>

/** Locks the quotes of a batch, then its open intents. */
export async function lockBatch(
  transaction: CommonQueryMethods,
  batchId: string,
): Promise<readonly BatchedIntent[]> {
  await transaction.query(sql.typeAlias('void')`
    select from quote where id in (select quote_id from intent where batch_id = ${batchId}::uuid)
    order by id for no key update`)
  return transaction.any(sql.type(batchedIntent)`
    select intent.id, quote_id as "quoteId", intent.chain_id as "chainId", eoa, intent_nonce as "intentNonce", kind,
      fee_listed as "feeListed"
    from intent join quote on quote.id = quote_id
    where batch_id = ${batchId}::uuid and intent.status = 'batched' order by intent.id for update of intent`)
}

const waitingIntent = z.object({
  id: z.string(),
  /** True if a transaction with it may have reached a node. */
  exposed: z.boolean(),
})

/** Locks a quote, and returns its intents that still wait for a batch, or for a batch to be mined. */
export async function lockUnderWay(
  transaction: CommonQueryMethods,
  quoteId: string,
  status: 'queued' | 'batched',
): Promise<readonly z.output<typeof waitingIntent>[]> {
  await transaction.query(sql.typeAlias('void')`
    select from quote where id = ${quoteId}::uuid for no key update`)
  return transaction.any(sql.type(waitingIntent)`
    select id, exposed from intent
    where quote_id = ${quoteId}::uuid and status = ${status} order by id for update`)
}

/** Outcome of an intent; `error` is null when it succeeded. */
export interface IntentEnd {
  id: string
  status: 'succeeded' | 'failed'
  /** Null if no transaction executed it. */
  txHash: string | null
  error: string | null
  /** Set if its success may belong to other calls: its fee then counts for nothing. */
  isUnproven?: true
}

/** Ends locked intents, and books the fees of the successful ones, no matter whose transaction executed them. */
export async function endIntents(transaction: CommonQueryMethods, ends: readonly IntentEnd[]): Promise<void> {
  if (ends.length === 0) return
  await transaction.query(sql.typeAlias('void')`
    with over as (
      update intent set status = ended.status, tx_hash = coalesce(ended.tx_hash, intent.tx_hash), error = ended.error,
        ended_at = now()
      from ${sql.unnest(
        ends.map(({ id, status, txHash, error, isUnproven }) => [
          id,
          status,
          txHash,
          error,
          isUnproven ?? false,
        ]),
        ['uuid', 'text', 'text', 'text', 'bool'],
      )} as ended (id, status, tx_hash, error, unproven)
      where intent.id = ended.id and intent.status in ('queued', 'batched')
      returning intent.id, intent.quote_id, intent.chain_id, intent.eoa, intent.status, ended.unproven
    ), doubted as (
      update quote set fee_listed = false from over where over.unproven and quote.id = over.quote_id
    )
    insert into send_income (intent_id, chain_id, token, network_fee, service_fee)
    select over.id, over.chain_id, quote.token, paid.network_fee, paid.service_fee
    from over join quote on quote.id = over.quote_id
    join reservation as paid on paid.quote_id = over.quote_id and paid.chain_id = over.chain_id
      and paid.address = over.eoa and paid.token = quote.token
    where over.status = 'succeeded' and not over.unproven and paid.network_fee + paid.service_fee > 0`)
}

/** An intent to check again later, with the attempts to add. */
export interface Deferral {
  id: string
  attempts: 0 | 1
  delayMs: number
}

const deferredRows = (deferred: readonly Deferral[]) =>
  sql.fragment`${sql.unnest(
    deferred.map(({ id, attempts, delayMs }) => [id, attempts, delayMs]),
    ['uuid', 'int4', 'float8'],
  )} as deferred (id, attempts, delay_ms)`

/** Requeues locked intents of a batch; stores the hash of its transaction if that was mined. */
export async function requeueIntents(
  transaction: CommonQueryMethods,
  deferred: readonly Deferral[],
  { txHash, exposed }: { txHash: string | null; exposed: boolean },
): Promise<void> {
  if (deferred.length === 0) return
  await transaction.query(sql.typeAlias('void')`
    update intent set status = 'queued', batch_id = null, attempts = intent.attempts + deferred.attempts,
      not_before = now() + delay_ms * interval '1 ms', tx_hash = coalesce(${txHash}, tx_hash),
      exposed = exposed or ${exposed}
    from ${deferredRows(deferred)} where intent.id = deferred.id`)
}

/** Postpones the next check of locked intents; they stay in their queue or batch. */
export async function deferIntents(
  transaction: CommonQueryMethods,
  deferred: readonly Deferral[],
): Promise<void> {
  if (deferred.length === 0) return
  await transaction.query(sql.typeAlias('void')`
    update intent set attempts = intent.attempts + deferred.attempts,
      not_before = now() + delay_ms * interval '1 ms'
    from ${deferredRows(deferred)} where intent.id = deferred.id and status in ('queued', 'batched')`)
}

/** True if a node may have any form of an outgoing transaction. */
export function mayBeKnown(transaction: CommonQueryMethods, outboundId: string): Promise<boolean> {
  return transaction.exists(sql.typeAlias('void')`
    select from outbound_attempt where outbound_id = ${outboundId}::uuid and delivery <> 'refused'`)
}

const intentState = z.object({
  quoteId: z.string(),
  place: z.int(),
  status: z.enum(['queued', 'batched', 'succeeded', 'failed']),
  error: z.string().nullable(),
})

/** Lists the states of the quotes' intents, in their order within each quote. */
export function listIntentStates(
  connection: CommonQueryMethods,
  quoteIds: readonly string[],
): Promise<readonly z.output<typeof intentState>[]> {
  return connection.any(sql.type(intentState)`
    select quote_id as "quoteId", place, status, error from intent
    where quote_id = any(${sql.array([...quoteIds], 'uuid')}) order by quote_id, place`)
}

/** The end of a quote; `failure` is null where all of its intents were executed. */
export interface Ending {
  quoteId: string
  state: QuoteState
  failure: { code: string; text: string } | null
}

/** The row of a {@link Ended}. */
const endedQuote = z.object({
  quoteId: z.string(),
  accountId: z.string(),
  chainId: smallInteger,
  token: hexText,
  /** The fee that its executed intents paid, and its value. */
  serviceFee: z.bigint(),
  serviceFeeUsdMicros: z.bigint().nullable(),
  /** True if the operator lists its token for fees. */
  feeListed: z.boolean(),
})
/** A quote that has just ended. */
export type Ended = z.output<typeof endedQuote>

/** Ends submitted quotes. Returns those that had not ended before. */
export async function endSubmittedQuotes(
  transaction: CommonQueryMethods,
  ends: readonly Ending[],
): Promise<readonly z.output<typeof endedQuote>[]> {
  if (ends.length === 0) return []
  return transaction.any(sql.type(endedQuote)`
    with over as (
      update quote set status = ended.state, failure_code = ended.code, failure = ended.failure,
        ended_at = now()
      from ${sql.unnest(
        ends.map(({ quoteId, state, failure }) => [
          quoteId,
          state,
          failure?.code ?? null,
          failure?.text ?? null,
        ]),
        ['uuid', 'text', 'text', 'text'],
      )} as ended (id, state, code, failure)
      where quote.id = ended.id and status = 'submitted'
      returning quote.id, account_id, chain_id, token, service_fee, service_fee_usd_micros, fee_listed
    )
    select over.id as "quoteId", over.account_id as "accountId", over.chain_id as "chainId", over.token,
      paid.fee as "serviceFee",
      div(service_fee_usd_micros * paid.fee, nullif(service_fee, 0)) as "serviceFeeUsdMicros",
      fee_listed as "feeListed"
    from over cross join lateral (
      select coalesce(sum(reservation.service_fee), 0) as fee
      from intent join reservation on reservation.quote_id = intent.quote_id
        and reservation.chain_id = intent.chain_id and reservation.address = intent.eoa
        and reservation.token = over.token
      where intent.quote_id = over.id and intent.status = 'succeeded'
    ) as paid`)
}

/** How an account's erasure and export treat the table. */
export const unbookedEarningTable = byQuote('unbooked_earning')

/** A service fee whose referrer's share could not be booked. */
interface NewUnbookedEarning {
  quoteId: string
  /** Smallest unit of the quote's token. */
  serviceFee: bigint
  /** Millionths of a dollar; null where the fee had no price. */
  serviceFeeUsdMicros: bigint | null
  /** Reason of the failure, without values. */
  reason: string
  /** Delay until the next attempt. */
  delayMs: number
}

/** Records a share that could not be booked, in the transaction that ends its quote. */
export async function insertUnbookedEarning(
  transaction: CommonQueryMethods,
  { quoteId, serviceFee, serviceFeeUsdMicros, reason, delayMs }: NewUnbookedEarning,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    insert into unbooked_earning (quote_id, service_fee, service_fee_usd_micros, reason, next_at)
    values (${quoteId}::uuid, ${serviceFee}, ${serviceFeeUsdMicros}, ${reason},
      now() + ${delayMs} * interval '1 ms')
    on conflict (quote_id) do nothing`)
}

/** Lists the quotes whose shares are due for a retry, longest wait first. */
export function listDueEarnings(connection: CommonQueryMethods, limit: number): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(z.object({ quoteId: z.string() }))`
    select quote_id as "quoteId" from unbooked_earning where next_at <= now() order by next_at limit ${limit}`)
}

const dueRow = endedQuote.omit({ feeListed: true })

/** Removes a due share from the table, in the transaction that books it; null where another instance has it. */
export function takeDueEarning(
  transaction: CommonQueryMethods,
  quoteId: string,
): Promise<z.output<typeof dueRow> | null> {
  return transaction.maybeOne(sql.type(dueRow)`
    with taken as (
      delete from unbooked_earning where quote_id in (
        select quote_id from unbooked_earning where quote_id = ${quoteId}::uuid and next_at <= now()
        for update skip locked)
      returning quote_id, service_fee, service_fee_usd_micros
    )
    select quote.id as "quoteId", account_id as "accountId", chain_id as "chainId", token,
      taken.service_fee as "serviceFee", taken.service_fee_usd_micros as "serviceFeeUsdMicros"
    from taken join quote on quote.id = quote_id`)
}

/** Postpones the next attempt; each delay is twice the last, up to `mostMs`. */
export async function postponeEarning(
  connection: CommonQueryMethods,
  quoteId: string,
  { reason, delayMs, mostMs }: { reason: string; delayMs: number; mostMs: number },
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    update unbooked_earning set attempts = attempts + 1, reason = ${reason},
      next_at = now() + least(${mostMs}, ${delayMs} * 2 ^ least(attempts, 30)) * interval '1 ms'
    where quote_id = ${quoteId}::uuid`)
}
