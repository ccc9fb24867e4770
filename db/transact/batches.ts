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

/** What an account's erasure and export make of it: of others it tells with whom they shared a transaction. */
export const batchShareTable = byAccount('intent_batch_share', ['batch_id', 'quote_id'])

const queuedIntent = z.object({
  id: z.string(),
  quoteId: z.string(),
  accountId: z.string(),
  /** The account that the quote pays, where it is one of ours. */
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
  /** Of its account and quote it is the only one in its transaction. */
  alone: z.boolean(),
  /** Contracts of strangers that it runs; with a list it has its own transaction, sent once. Null where it may share one. */
  contracts: z.array(z.string()).nullable(),
  /** A transaction with it was mined and left it untouched. */
  wasMined: z.boolean(),
  expiresAt: z.date(),
  fromBlock: z.bigint(),
  queuedAt: z.date(),
  /** Milliseconds since sending it was first found to cost more than its fee covers; null while it does not. */
  uncoveredMs: z.number().nullable(),
  /** The inputs of its quote's fee. */
  kind: z.string(),
  token: hexText,
  tokenDecimals: z.int().nullable(),
  /** Whether the token was listed for fees when it was quoted. */
  feeListed: z.boolean(),
  /** The amount of the token that its address pays for gas, smallest unit. */
  networkFee: z.bigint(),
  /** The amount that all addresses of the quote pay for gas, and the cost of sending when it was computed, in wei. */
  quoteNetworkFee: z.bigint(),
  quoteGasCost: z.bigint(),
  /** What comes out of it; null where it is what was spent. */
  outputToken: hexText.nullable(),
})
/** An intent that waits for a batch. */
export type QueuedIntent = z.output<typeof queuedIntent>

/**
 * The intents that wait, those of the oldest quotes first; the intents of a quote are all there, one after the other,
 * unless they go alone: each of those waits for itself.
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
  intent.tx_hash is not null as "wasMined", intent.expires_at as "expiresAt", from_block as "fromBlock", queued_at as "queuedAt",
  extract(epoch from now() - uncovered_since)::float8 * 1000 as "uncoveredMs", quote.kind, quote.token,
  quote.token_decimals as "tokenDecimals", quote.fee_listed as "feeListed", quote.network_fee as "quoteNetworkFee", quote.gas_cost as "quoteGasCost",
  quote.output_token as "outputToken", (
    select coalesce(sum(reservation.network_fee), 0) from reservation
    where reservation.quote_id = intent.quote_id and reservation.address = intent.eoa
  ) as "networkFee"`

const joins = sql.fragment`
  join quote on quote.id = quote_id left join stealth_address on stealth_address.address = quote.recipient`

/**
 * The chains on which intents wait, are in a transaction, or have left one behind that carries none any more: on others there is
 * nothing to look for. Asked with other questions.
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

/**
 * Keeps waiting intents out of {@link listQueuedIntents} and {@link listOverdueIntents} for so long; nothing else changes.
 */
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

/** The batch of an intent is settled, so no settlement will end the intent later. */
const isSettled = sql.fragment`exists (
  select from intent_batch join outbound_tx on outbound_tx.id = outbound_id
  where intent_batch.id = intent.batch_id and settled_at is not null)`

/** Keeps waiting intents that their fees do not cover out of {@link listQueuedIntents} for so long, and notes since when. */
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

/** Notes that the fees of waiting intents cover what sending them costs. */
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
 * The intents that expired while their transaction is in the outbox, for any reason, and those that could not be ended when
 * their transaction was settled.
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

/** Hashes of all signed forms of the transactions in which intents are and that are not settled yet. */
export function listFormsOfIntents(
  connection: CommonQueryMethods,
  intentIds: readonly string[],
): Promise<readonly `0x${string}`[]> {
  return connection.anyFirst(sql.type(z.object({ hash: hexText }))`
    select hash from outbound_attempt where outbound_id in (
      select outbound_id from intent_batch join intent on batch_id = intent_batch.id
      where intent.id = any(${sql.array([...intentIds], 'uuid')}) and intent.status = 'batched' and not ${isSettled})`)
}

/** The batches in which no intent waits for its end. */
const isEmpty = sql.fragment`not exists (
  select from intent where intent.batch_id = intent_batch.id and intent.status = 'batched')`

/**
 * Takes transactions out of the queue of the outbox that carried intents of a quote and carry none any more. Those that
 * another transaction has locked are left out: it is a review that is about to abandon one and waits for the quotes that
 * the caller has locked; it will find no intents, and abandon it as well.
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
 * Makes transactions of a chain that are signed, in no block, and carry no intent any more, transfers of nothing: the next
 * form that is offered uses their nonce up at the least cost, since others may wait behind it. The forms before stand.
 *
 * This is a statement of its own, because whoever settles a transaction keeps it locked while it waits for its quotes.
 * @param gasLimit Of such a transfer.
 * @returns How many transactions were changed.
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

/** Locks those of the intents that are queued still and nobody else is looking at, until the transaction ends. */
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
  /** Each account that the batch shows an address of, and for which quote. */
  shares: readonly { accountId: string; quoteId: string }[]
  intentIds: readonly string[]
}

/**
 * Writes a batch, puts locked intents into it and takes its gas.
 * @throws UniqueIntegrityConstraintViolationError when two quotes concern the same account, or two intents that go alone; as
 * `takingGas` does.
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
 * The same for intents that are not locked yet, to be written in the statement that writes the transaction: either all of
 * them are queued still and nobody else is looking at them, or the statement fails (see {@link isBatchTaken}).
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

/** Whether a batch was not written because others had taken some of its intents. */
export const isBatchTaken = (error: unknown): boolean =>
  error instanceof NotNullIntegrityConstraintViolationError && error.table === 'intent_batch'

/** The intents of a batch that have no end yet, in the order of its transaction. */
export function listBatchedIntents(
  connection: CommonQueryMethods,
  batchId: string,
): Promise<readonly QueuedIntent[]> {
  return connection.any(sql.type(queuedIntent)`
    select ${columns} from intent ${joins}
    where batch_id = ${batchId}::uuid and intent.status = 'batched' and encoded is not null
    order by queued_at, quote_id, place`)
}

/** The quotes whose intents are in a batch. */
export function findQuotesOfBatch(
  connection: CommonQueryMethods,
  batchId: string,
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(z.object({ quoteId: z.string() }))`
    select distinct quote_id as "quoteId" from intent_batch_share where batch_id = ${batchId}::uuid`)
}
