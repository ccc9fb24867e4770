import { UniqueIntegrityConstraintViolationError, type CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../../account-table.ts'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

/** How an account's erasure and export treat the table. */
export const poolConversionTable = byAccount('pool_conversion')

/** Key of a pool. */
export interface PoolKey {
  chainId: number
  /** Checksummed. */
  address: string
}

/** Deposit of one intent of a quote. Amounts in the token's smallest unit. */
export interface NewConversion {
  /** Place of the intent in its quote. */
  place: number
  /** The depositing address. */
  address: string
  depositIndex: number
  precommitment: bigint
  /** Amount that the Entrypoint receives. */
  gross: bigint
  /** Amount of the note: gross less the vetting fee. */
  net: bigint
  /** The service's fee. */
  depositFee: bigint
}

/**
 * The conflict behind an error: another live conversion of the account has the index, or the precommitment. Null for
 * other errors.
 */
export function conversionConflict(error: unknown): 'index' | 'precommitment' | null {
  if (!(error instanceof UniqueIntegrityConstraintViolationError)) return null
  if (error.constraint === 'pool_conversion_index') return 'index'
  return error.constraint === 'pool_conversion_precommitment' ? 'precommitment' : null
}

/**
 * Writes the deposits of a quote, in the transaction that writes the quote. They claim their indices and precommitments
 * until the database sets `ended_at`: when the quote ends unsubmitted, or the intent fails.
 * @throws UniqueIntegrityConstraintViolationError (see {@link conversionConflict}).
 */
export async function insertConversions(
  transaction: CommonQueryMethods,
  of: { quoteId: string; accountId: string; pool: PoolKey },
  conversions: readonly NewConversion[],
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    insert into pool_conversion (quote_id, account_id, chain_id, pool, place, address, deposit_index, precommitment, gross,
      net, vetting_fee, deposit_fee)
    select ${of.quoteId}::uuid, ${of.accountId}::uuid, ${of.pool.chainId}, ${of.pool.address}, place, address,
      deposit_index, precommitment, gross, net, gross - net, deposit_fee
    from ${sql.unnest(
      conversions.map((one) => [
        one.place,
        one.address,
        one.depositIndex,
        one.precommitment,
        one.gross,
        one.net,
        one.depositFee,
      ]),
      ['int4', 'text', 'int8', 'numeric', 'numeric', 'numeric', 'numeric'],
    )} as conversion (place, address, deposit_index, precommitment, gross, net, deposit_fee)`)
}

const conversionRow = z.object({
  quoteId: z.string(),
  place: z.int(),
  address: hexText,
  depositIndex: smallInteger,
  precommitment: z.bigint(),
  gross: z.bigint(),
  net: z.bigint(),
  vettingFee: z.bigint(),
  depositFee: z.bigint(),
  /** locked: the client has not submitted it. executed: its intent is in a final block. */
  state: z.enum(['locked', 'submitted', 'executed']),
  /** True if the pool has an indexed deposit by its address with its precommitment. */
  isDeposited: z.boolean(),
  createdAt: z.date(),
})
/** A conversion that may still be mined, or was. Amounts in the token's smallest unit. */
export type LiveConversion = z.output<typeof conversionRow>

/**
 * Lists the account's conversions into a pool that have not ended, by index: quoted, submitted and deposited ones.
 * Conversions without `isDeposited` are in flight.
 */
export function listLiveConversions(
  connection: CommonQueryMethods,
  accountId: string,
  pool: PoolKey,
): Promise<readonly LiveConversion[]> {
  return connection.any(sql.type(conversionRow)`
    select conversion.quote_id as "quoteId", conversion.place, conversion.address,
      conversion.deposit_index as "depositIndex", conversion.precommitment, conversion.gross, conversion.net,
      conversion.vetting_fee as "vettingFee", conversion.deposit_fee as "depositFee",
      case when quote.status = 'locked' then 'locked' when intent.status = 'succeeded' then 'executed' else 'submitted'
        end as state,
      exists (
        select from pool_event as deposit where deposit.precommitment = conversion.precommitment
          and deposit.kind = 'deposit' and deposit.chain_id = conversion.chain_id
          and deposit.contract = conversion.pool and deposit.account = conversion.address
      ) as "isDeposited",
      quote.created_at as "createdAt"
    from pool_conversion as conversion join quote on quote.id = conversion.quote_id
    left join intent on intent.quote_id = conversion.quote_id and intent.place = conversion.place
    where conversion.account_id = ${accountId}::uuid and conversion.chain_id = ${pool.chainId}
      and conversion.pool = ${pool.address} and conversion.ended_at is null
    order by conversion.deposit_index`)
}

const indicesRow = z.object({ highest: smallInteger.nullable(), highestOnChain: smallInteger.nullable() })

/**
 * Reads the highest index among an account's conversions into a pool that are live or on chain, and among those on
 * chain; null for none. A precommitment that somebody else used in a deposit counts as on chain: it cannot be used
 * again.
 */
export function readHighestIndices(
  connection: CommonQueryMethods,
  accountId: string,
  pool: PoolKey,
): Promise<z.output<typeof indicesRow>> {
  return connection.one(sql.type(indicesRow)`
    with known as (
      select deposit_index, ended_at, exists (
        select from pool_event as deposit where deposit.precommitment = conversion.precommitment
          and deposit.kind = 'deposit' and deposit.chain_id = conversion.chain_id
      ) as is_on_chain
      from pool_conversion as conversion
      where account_id = ${accountId}::uuid and chain_id = ${pool.chainId} and pool = ${pool.address}
    )
    select max(deposit_index) filter (where ended_at is null or is_on_chain) as highest,
      max(deposit_index) filter (where is_on_chain) as "highestOnChain"
    from known`)
}

/** Returns the precommitments that a deposit on the chain already uses, by any depositor, in any pool. */
export async function listUsedPrecommitments(
  connection: CommonQueryMethods,
  chainId: number,
  precommitments: readonly bigint[],
): Promise<ReadonlySet<bigint>> {
  const used = await connection.anyFirst(sql.type(z.object({ precommitment: z.bigint() }))`
    select precommitment from pool_event
    where kind = 'deposit' and chain_id = ${chainId}
      and precommitment = any(${sql.array([...precommitments], 'numeric')})`)
  return new Set(used)
}

const quotedRow = z.object({
  quoteId: z.string(),
  place: z.int(),
  pool: hexText,
  address: hexText,
  net: z.bigint(),
  vettingFee: z.bigint(),
  depositFee: z.bigint(),
  hasEnded: z.boolean(),
})
/** A quote's deposit for display. Amounts in the token's smallest unit. */
export type PlannedConversion = z.output<typeof quotedRow>

/** Lists the deposits of an account's quotes, ended or not, in the order of their intents. */
export async function listConversionsOf(
  connection: CommonQueryMethods,
  accountId: string,
  quoteIds: readonly string[],
): Promise<readonly PlannedConversion[]> {
  if (quoteIds.length === 0) return []
  return connection.any(sql.type(quotedRow)`
    select quote_id as "quoteId", place, pool, address, net, vetting_fee as "vettingFee", deposit_fee as "depositFee",
      ended_at is not null as "hasEnded"
    from pool_conversion
    where account_id = ${accountId}::uuid and quote_id = any(${sql.array([...quoteIds], 'uuid')})
    order by quote_id, place`)
}

const assetOf = (chainId: string, pool: string) => sql.fragment`(
  select asset from pool_event
  where chain_id = ${sql.identifier(chainId.split('.'))} and kind = 'pool-registered'
    and pool = ${sql.identifier(pool.split('.'))} limit 1)`

const standingDeposit = z.object({
  label: z.bigint(),
  /** Amount deposited, in the token's smallest unit. */
  value: z.bigint(),
  standing: z.enum(['pending', 'approved', 'declined']),
  /** As the pools name it: 0xEeee… is the native coin. */
  asset: hexText,
})

/** Lists an account's deposits with these labels that were not recovered. */
export function listStandingDeposits(
  connection: CommonQueryMethods,
  accountId: string,
  pool: PoolKey,
  labels: readonly bigint[],
): Promise<readonly z.output<typeof standingDeposit>[]> {
  if (labels.length === 0) return Promise.resolve([])
  return connection.any(sql.type(standingDeposit)`
    select label, value, standing, ${assetOf('deposit.chain_id', 'deposit.pool')} as asset
    from account_deposit as deposit
    where account_id = ${accountId}::uuid and chain_id = ${pool.chainId} and deposit.pool = ${pool.address}
      and standing <> 'recovered' and label = any(${sql.array(labels.map(String), 'numeric')})`)
}

const executedSum = z.object({ chainId: smallInteger, asset: hexText, amount: z.bigint() })

/** Sums an account's executed conversions whose deposits are not indexed yet, by asset, in its smallest unit. */
export function sumUnindexedConversions(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<readonly z.output<typeof executedSum>[]> {
  return connection.any(sql.type(executedSum)`
    select conversion.chain_id as "chainId", ${assetOf('conversion.chain_id', 'conversion.pool')} as asset,
      sum(net) as amount
    from pool_conversion as conversion
    join intent on intent.quote_id = conversion.quote_id and intent.place = conversion.place
      and intent.status = 'succeeded'
    where conversion.account_id = ${accountId}::uuid and conversion.ended_at is null and not exists (
      select from pool_event as deposit where deposit.precommitment = conversion.precommitment
        and deposit.kind = 'deposit' and deposit.chain_id = conversion.chain_id
        and deposit.contract = conversion.pool and deposit.account = conversion.address)
    group by conversion.chain_id, conversion.pool`)
}
