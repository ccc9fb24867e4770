import {
  NotNullIntegrityConstraintViolationError,
  type CommonQueryMethods,
  type FragmentSqlToken,
} from 'slonik'
import { z } from 'zod'
import { hexBytes, hexText } from '../column-types.ts'
import { askInOneStatement } from '../ask-in-one-statement.ts'
import { sql } from '../connect-database.ts'
import { byAccount } from '../account-table.ts'
import { abandonQueuedAmong, emptyUnmined } from '../chain/broadcast/outbound-settle.ts'

/** How an account's erasure and export treat the table: batch ids are omitted, because they reveal who shared a transaction. */
export const batchShareTable = byAccount('intent_batch_share', ['batch_id', 'quote_id'])

const queuedIntent = z.object({
  id: z.string(),
  quoteId: z.string(),
  accountId: z.string(),
  /** Owner of the quote's recipient; null for an address outside the service. */
  recipientAccountId: z.string().nullable(),
  eoa: hexText,
  intentNonce: z.bigint(),
  encoded: hexBytes,
  combinedGas: z.bigint(),
  transactionGas: z.bigint(),
  delegation: z
    .object({ contractAddress: hexText, authorizationNonce: z.int(), signature: hexText })
    .nullable(),
  attempts: z.int(),
  exposed: z.boolean(),
  /** Its transaction carries no other intent of its account and quote. */
  alone: z.boolean(),
  /** Contracts of strangers that it runs; with a list it has its own transaction, sent once. Null if it may share one. */
  contracts: z.array(z.string()).nullable(),
  /** A transaction with it was mined and left it untouched. */
  wasMined: z.boolean(),
  expiresAt: z.date(),
  fromBlock: z.bigint(),
  /** Milliseconds since the cost of sending was first found to exceed its fee; null while covered. */
  uncoveredMs: z.number().nullable(),
  /** The inputs of its quote's fee. */
  kind: z.string(),
  token: hexText,
  tokenDecimals: z.int().nullable(),
  /** Whether the token was listed for fees at quote time. */
  feeListed: z.boolean(),
  /** The amount of the token that its address pays for gas, smallest unit. */
  networkFee: z.bigint(),
  /** Amount that all addresses of the quote pay for gas; and the cost of sending at quote time, in wei. */
  quoteNetworkFee: z.bigint(),
  quoteGasCost: z.bigint(),
  /** Token of its output; null where it equals the token spent. */
  outputToken: hexText.nullable(),
})
/** An intent that waits for a batch. */
export type QueuedIntent = z.output<typeof queuedIntent>

/**
 * Lists the waiting intents, oldest quotes first. The intents of a quote come together, one after the other, unless
 * they go alone: those wait one by one.
 */
export function listQueuedIntents(
  connection: CommonQueryMethods,
  chainId: number,
  maxQuotes: number,
): Promise<readonly QueuedIntent[]> {
  return connection.any(sql.type(queuedIntent)`
    with waiting as (
      select quote_id, case when alone then place end as only_place, min(queued_at) as since from intent
      where chain_id = ${chainId} and status = 'queued'
      group by quote_id, only_place having max(not_before) <= now()
      order by since, quote_id limit ${maxQuotes}
    )
    select ${columns} from waiting join intent using (quote_id) ${joins}
    where intent.status = 'queued' and place = coalesce(only_place, place)
    order by since, quote_id, place`)
}

const columns = sql.fragment`
  intent.id, intent.quote_id as "quoteId", intent.account_id as "accountId",
  stealth_address.account_id as "recipientAccountId", eoa, intent_nonce as "intentNonce", encoded,
  combined_gas as "combinedGas", transaction_gas as "transactionGas", delegation, attempts, exposed, alone,
  contracts,
  intent.tx_hash is not null as "wasMined", intent.expires_at as "expiresAt", from_block as "fromBlock",
  extract(epoch from now() - uncovered_since)::float8 * 1000 as "uncoveredMs", quote.kind, quote.token,
  quote.token_decimals as "tokenDecimals", quote.fee_listed as "feeListed", quote.network_fee as "quoteNetworkFee", quote.gas_cost as "quoteGasCost",
  quote.output_token as "outputToken", (
    select coalesce(sum(reservation.network_fee), 0) from reservation
    where reservation.quote_id = intent.quote_id and reservation.address = intent.eoa
  ) as "networkFee"`

const joins = sql.fragment`
  join quote on quote.id = quote_id left join stealth_address on stealth_address.address = quote.recipient`

/**
 * Lists the chains with work for the batcher: intents that wait or are in a transaction, or unsettled transactions
 * without any intent left. Asked with other questions.
 */
export function listBusyChains(connection: CommonQueryMethods): Promise<readonly number[]> {
  const question = sql.fragment`
    select coalesce(jsonb_agg(chain_id), '[]') from (
      select chain_id from intent where status = 'queued'
      union select chain_id from intent where status = 'batched'
      union select outbound_tx.chain_id from outbound_tx join intent_batch on outbound_id = outbound_tx.id
      where outbound_tx.status in ('queued', 'signed', 'sent')
    ) as busy`
  return askInOneStatement(connection, question, z.array(z.int()))
}

/** Hides waiting intents from {@link listQueuedIntents} and {@link listOverdueIntents} for a while; nothing else changes. */
export async function postponeIntents(
  connection: CommonQueryMethods,
  intentIds: readonly string[],
  forMs: number,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    update intent set not_before = now() + ${forMs} * interval '1 ms'
    where id = any(array(
      select id from intent
      where id = any(${sql.array([...intentIds], 'uuid')}) and status in ('queued', 'batched')
      order by id for no key update))`)
}

/** Condition: the batch of an intent is settled, so no settlement will end the intent later. */
const isSettled = sql.fragment`exists (
  select from intent_batch join outbound_tx on outbound_tx.id = outbound_id
  where intent_batch.id = intent.batch_id and settled_at is not null)`

/** Hides waiting intents that their fees do not cover from {@link listQueuedIntents} for a while, and records since when. */
export async function postponeUncovered(
  connection: CommonQueryMethods,
  intentIds: readonly string[],
  forMs: number,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    update intent set not_before = now() + ${forMs} * interval '1 ms',
      uncovered_since = coalesce(uncovered_since, now())
    where id = any(array(
      select id from intent where id = any(${sql.array([...intentIds], 'uuid')}) and status = 'queued'
      order by id for no key update))`)
}

/** Records that the fees of waiting intents cover the cost of sending them. */
export async function noteCovered(
  connection: CommonQueryMethods,
  intentIds: readonly string[],
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    update intent set uncovered_since = null
    where id = any(array(
      select id from intent where id = any(${sql.array([...intentIds], 'uuid')}) and uncovered_since is not null
      order by id for no key update))`)
}

/**
 * Lists the intents that expired while their transaction was in the outbox, and those that could not be ended at its
 * settlement.
 */
export function listOverdueIntents(
  connection: CommonQueryMethods,
  chainId: number,
  maxQuotes: number,
): Promise<readonly QueuedIntent[]> {
  return connection.any(sql.type(queuedIntent)`
    with overdue as (
      select quote_id from intent
      where chain_id = ${chainId} and status = 'batched' and not_before <= now()
        and (expires_at < now() or ${isSettled})
      group by quote_id order by min(expires_at) limit ${maxQuotes}
    )
    select ${columns} from overdue join intent using (quote_id) ${joins}
    where intent.status = 'batched'
    order by quote_id, place`)
}

/** Lists hashes of all signed forms of the intents' unsettled transactions. */
export function listFormsOfIntents(
  connection: CommonQueryMethods,
  intentIds: readonly string[],
): Promise<readonly `0x${string}`[]> {
  return connection.anyFirst(sql.type(z.object({ hash: hexText }))`
    select hash from outbound_attempt where outbound_id in (
      select outbound_id from intent_batch join intent on batch_id = intent_batch.id
      where intent.id = any(${sql.array([...intentIds], 'uuid')}) and intent.status = 'batched' and not ${isSettled})`)
}

/** Condition: no intent of the batch is still open. */
const isEmpty = sql.fragment`not exists (
  select from intent where intent.batch_id = intent_batch.id and intent.status = 'batched')`

/**
 * Abandons queued transactions that carried intents of a quote and now carry none. Skips transactions locked by others:
 * such a lock belongs to a review that waits for the caller's quotes. The review will find no intents, and abandon the
 * transaction itself.
 */
export async function abandonEmptyBatches(transaction: CommonQueryMethods, quoteId: string): Promise<void> {
  await abandonQueuedAmong(
    transaction,
    sql.fragment`select outbound_id from intent_batch join intent_batch_share on batch_id = intent_batch.id
      where quote_id = ${quoteId}::uuid and ${isEmpty}`,
    'its intents have ended',
  )
}

/**
 * Turns unmined signed transactions of a chain without open intents into empty transfers. Their next form uses up the
 * nonce at the least cost, since others may wait behind it. Earlier forms stay valid.
 *
 * A statement of its own, because a settlement keeps its transaction locked while it waits for its quotes.
 * @param gasLimit Gas limit of such a transfer.
 * @returns The number of changed transactions.
 */
export function emptyPointlessBatches(
  connection: CommonQueryMethods,
  chainId: number,
  gasLimit: bigint,
): Promise<number> {
  const isPointless = sql.fragment`exists (
    select from intent_batch where outbound_id = outbound_tx.id and ${isEmpty})`
  return emptyUnmined(connection, chainId, isPointless, gasLimit)
}

/** Locks the intents that are still queued until the transaction ends; skips those locked by others. */
export async function lockQueuedIntents(
  transaction: CommonQueryMethods,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const locked = await transaction.anyFirst(sql.type(z.object({ id: z.string() }))`
    select id from intent where id = any(${sql.array([...ids], 'uuid')}) and status = 'queued'
    order by id for update skip locked`)
  return new Set(locked)
}

/** A batch to be written: the intents that one transaction executes, in order. */
export interface NewBatch {
  id: string
  chainId: number
  outboundId: string
  /** Each account with an address in the batch, and its quote. */
  shares: readonly { accountId: string; quoteId: string }[]
  intentIds: readonly string[]
}

/**
 * Writes a batch, assigns locked intents to it and takes its gas.
 * @throws UniqueIntegrityConstraintViolationError when two quotes concern the same account, or two intents that go
 *   alone; and the errors of `takingGas`.
 */
export async function insertBatch(
  transaction: CommonQueryMethods,
  batch: NewBatch,
  takingGas: FragmentSqlToken,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    insert into intent_batch (id, chain_id, outbound_id) values (${batch.id}, ${batch.chainId}, ${batch.outboundId})`)
  await transaction.query(sql.typeAlias('void')`
    insert into intent_batch_share (batch_id, account_id, quote_id)
    select ${batch.id}::uuid, account_id, quote_id from ${sql.unnest(
      batch.shares.map(({ accountId, quoteId }) => [accountId, quoteId]),
      ['uuid', 'uuid'],
    )} as share (account_id, quote_id)`)
  await transaction.query(sql.typeAlias('void')`
    update intent set status = 'batched', batch_id = ${batch.id}
    where id = any(${sql.array([...batch.intentIds], 'uuid')})`)
  await transaction.query(sql.typeAlias('void')`${takingGas}`)
}

/**
 * The same for intents that are not locked yet, as part of the statement that writes the transaction. The statement
 * fails unless all of them are still queued and unlocked (see {@link isBatchTaken}).
 */
export function insertingBatch(batch: NewBatch, takingGas: FragmentSqlToken): readonly FragmentSqlToken[] {
  const ids = sql.array([...batch.intentIds], 'uuid')
  return [
    sql.fragment`select id from intent where id = any(${ids}) and status = 'queued' for update skip locked`,
    sql.fragment`
      insert into intent_batch (id, chain_id, outbound_id)
      select case when (select count(*) from beside_0) = cardinality(${ids}) then ${batch.id}::uuid end,
        ${batch.chainId}, ${batch.outboundId}::uuid`,
    sql.fragment`
      insert into intent_batch_share (batch_id, account_id, quote_id)
      select ${batch.id}::uuid, account_id, quote_id from ${sql.unnest(
        batch.shares.map(({ accountId, quoteId }) => [accountId, quoteId]),
        ['uuid', 'uuid'],
      )} as share (account_id, quote_id)`,
    sql.fragment`
      update intent set status = 'batched', batch_id = ${batch.id} from beside_0 where intent.id = beside_0.id`,
    takingGas,
  ]
}

/** True if a batch was not written because others had claimed some of its intents. */
export const isBatchTaken = (error: unknown): boolean =>
  error instanceof NotNullIntegrityConstraintViolationError && error.table === 'intent_batch'

/** Lists the open intents of a batch, in the order of its transaction. */
export function listBatchedIntents(
  connection: CommonQueryMethods,
  batchId: string,
): Promise<readonly QueuedIntent[]> {
  return connection.any(sql.type(queuedIntent)`
    select ${columns} from intent ${joins}
    where batch_id = ${batchId}::uuid and intent.status = 'batched' and encoded is not null
    order by queued_at, quote_id, place`)
}

/** Lists the quotes with intents in a batch. */
export function findQuotesOfBatch(
  connection: CommonQueryMethods,
  batchId: string,
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(z.object({ quoteId: z.string() }))`
    select distinct quote_id as "quoteId" from intent_batch_share where batch_id = ${batchId}::uuid`)
}
