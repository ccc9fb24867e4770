import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import { byAddress } from '../../account-table.ts'

/** How an account's erasure and export treat the table. */
export const watchedAddressTable = byAddress('watched_address')

const NATIVE_TOKEN = '0x0000000000000000000000000000000000000000'
/** A long transaction can make a row visible some time after its created_at. */
const LOOK_BACK_MS = 10 * 60_000

const newcomer = z.object({
  address: hexText,
  owner: z.string(),
  createdAt: z.date(),
  exactly: z.string(),
  isFresh: z.boolean(),
})
/**
 * A stealth address that a chain does not watch yet; `exactly` is its creation time in microseconds, `owner` names its
 * account. A fresh one was created after a block of the chain, so its past needs no query.
 */
export type Newcomer = z.output<typeof newcomer>

const moment = z.object({ newest: z.date().nullable() })
const foundRow = z.union([
  newcomer.extend(moment.shape),
  moment.extend({
    address: z.null(),
    owner: z.null(),
    createdAt: z.null(),
    exactly: z.null(),
    isFresh: z.null(),
  }),
])

/** Condition on a row of `stealth_address`: the address may have been issued before that row was written. */
const mayBeOlder = sql.fragment`(generation_context is null
  or derivation_nonce < (select addresses_before from account where account.id = account_id))`

/** Clocks of chains run behind by less than this. */
const CLOCK_SLACK = sql.fragment`interval '10 minutes'`

/**
 * Newest stored block from before a row of `stealth_address` existed, when the address was unknown to all. Null where
 * none is known.
 */
const lastBefore = (chainId: number) => sql.fragment`case when not ${mayBeOlder} then (
    select number from indexed_block
    where chain_id = ${chainId} and (indexed_at < created_at or mined_at < created_at - ${CLOCK_SLACK})
    order by number desc limit 1) end`

/** Creation time from which addresses may be new to a chain; `newest` is that of the newest address it knows. */
export const lookFrom = (newest: Date): Date => new Date(newest.getTime() - LOOK_BACK_MS)

/** Stealth addresses that a chain does not watch yet, and the creation time of the newest of all; null where there is none. */
export interface FoundNewcomers {
  newcomers: readonly Newcomer[]
  newest: Date | null
}

/**
 * Lists stealth addresses that the chain does not watch yet, created at `from` or later and behind `after`. Oldest
 * first, at most `limit`.
 */
export async function findNewcomers(
  pool: CommonQueryMethods,
  chainId: number,
  { from, after }: { from: Date | null; after: Newcomer | null },
  limit: number,
): Promise<FoundNewcomers> {
  const behind = after
    ? sql.fragment`and (created_at, address) > (${after.exactly}::timestamptz, ${after.address})`
    : sql.fragment``
  const rows = await pool.any(sql.type(foundRow)`
    select newest, found.* from (select max(created_at) as newest from stealth_address) as whole
    left join (
      select address, account_id::text as owner, created_at as "createdAt", created_at::text as exactly,
        ${lastBefore(chainId)} is not null as "isFresh"
      from stealth_address
      where ${isNewcomer(chainId, from)} ${behind}
      order by created_at, address limit ${limit}
    ) as found on true
    order by "createdAt", address`)
  return {
    newcomers: rows.flatMap((row) => ('address' in row && row.address !== null ? row : [])),
    newest: rows[0]?.newest ?? null,
  }
}

/**
 * Condition on a row of `stealth_address`: see {@link findNewcomers}. A scalar subquery looks up each row by itself. As
 * `not exists` it would become a join, whose generic plan expects a third of all addresses and reads both tables whole.
 */
export function isNewcomer(chainId: number, from: Date | null) {
  return sql.fragment`created_at >= ${sql.timestamp(from ?? new Date(0))} and (
      select watched.address from watched_address watched
      where watched.chain_id = ${chainId} and watched.address = stealth_address.address) is null`
}

const crowdRow = z.object({ addresses: smallInteger, mostOfOne: smallInteger })

/**
 * Counts, among at most `limit` addresses that the chain does not watch yet, those that may have a past, and the most
 * of one account.
 */
export function countNewcomers(
  pool: CommonQueryMethods,
  chainId: number,
  from: Date | null,
  limit: number,
): Promise<z.output<typeof crowdRow>> {
  return pool.one(sql.type(crowdRow)`
    select coalesce(sum(own), 0)::int8 as addresses, coalesce(max(own), 0)::int8 as "mostOfOne"
    from (
      select count(*) as own from (
        select account_id, created_at, generation_context, derivation_nonce from stealth_address
        where ${isNewcomer(chainId, from)} limit ${limit}) as newcomer
      where ${lastBefore(chainId)} is null
      group by account_id) as of_each`)
}

/**
 * Returns a time before the start of every transaction now running: their later rows have no earlier `created_at`. Null
 * where sessions of other roles are hidden.
 */
export function readOldestTransaction(pool: CommonQueryMethods): Promise<Date | null> {
  // A session reports its transaction a moment after it began.
  return pool.oneFirst(sql.type(z.object({ before: z.date().nullable() }))`
    select case when bool_or(state is null) then null
      else least(min(xact_start), now()) - interval '1 second' end as before
    from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`)
}

/** Terms under which addresses begin to be watched. */
export interface Watching {
  /** First block that indexing matches with them. */
  liveFrom: bigint
  startBlock: bigint
  /** Whether their past is read in a joint pass, rather than address by address. */
  isTogether?: boolean
  /** Addresses, among those whose whole past counts, whose native balance must be read. Default: all. */
  funded?: readonly string[]
}

/**
 * Watches addresses from a block on, and schedules a backfill where earlier blocks may pay them. An address that may be
 * older than its row needs all earlier blocks; others need those since their creation. Native balances become stale
 * where such a block may have paid coins untraced.
 */
export async function watchAddresses(
  transaction: CommonQueryMethods,
  chainId: number,
  addresses: readonly string[],
  { liveFrom, startBlock, isTogether = false, funded = addresses }: Watching,
): Promise<void> {
  const pass = isTogether
    ? sql.fragment`(select next_pass from indexed_chain where chain_id = ${chainId})`
    : sql.fragment`null::bigint`
  await transaction.query(sql.typeAlias('void')`
    with issued as (
      select address, created_at, last_before, greatest(coalesce(last_before + 1, 0), ${startBlock}::bigint) as past_from
      from (
        select address, created_at, ${lastBefore(chainId)} as last_before
        from unnest(${sql.array([...addresses], 'text')}) as wanted (address) join stealth_address using (address)
        offset 0
      ) as known
    ), watched as (
      insert into watched_address (chain_id, address, live_from, near_from, history_next, pass, early_to)
      select ${chainId}::bigint, address, ${liveFrom}::bigint,
        case when past_from < ${liveFrom} then null else ${startBlock}::bigint end,
        case when past_from < ${liveFrom} then past_from end,
        case when past_from < ${liveFrom} and last_before is null then ${pass} end, (
          select number from indexed_block
          where chain_id = ${chainId} and indexed_at < issued.created_at order by number desc limit 1
        )
      from issued
      on conflict do nothing
    )
    insert into holding (chain_id, address, standard, token, stale)
    select ${chainId}, address, 'native', ${NATIVE_TOKEN}, true
    from issued
    where last_before is null and address = any (${sql.array([...funded], 'text')})
      or past_from < ${liveFrom}
        and (select untraced_to from indexed_chain where chain_id = ${chainId}) >= past_from
    on conflict do nothing`)
}

/** Reads all addresses that a chain watches, in pages ordered by text. */
export function readWatched(
  pool: CommonQueryMethods,
  chainId: number,
  after: string,
  limit: number,
): Promise<readonly `0x${string}`[]> {
  return pool.anyFirst(sql.type(z.object({ address: hexText }))`
    select address from watched_address where chain_id = ${chainId} and address > ${after}
    order by address limit ${limit}`)
}

const watchedRow = z.object({ address: hexText, owner: z.string() })

/** Returns the addresses that the chain watches, each with an id of its account. */
export async function confirmWatched(
  connection: CommonQueryMethods,
  chainId: number,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (addresses.length === 0) return new Map()
  const found = await connection.any(sql.type(watchedRow)`
    select address, account_id::text as owner from watched_address join stealth_address using (address)
    where chain_id = ${chainId} and address = any(${sql.array(addresses, 'text')})`)
  return new Map(found.map(({ address, owner }) => [address, owner]))
}

const pastRow = z.object({ address: hexText, liveFrom: z.bigint(), historyNext: z.bigint() })

/** Lists addresses whose recent past, up to their first live block, is still to be backfilled. */
export function findNearPast(
  pool: CommonQueryMethods,
  chainId: number,
  cursor: bigint,
  limit: number,
): Promise<readonly z.output<typeof pastRow>[]> {
  return pool.any(sql.type(pastRow)`
    select address, live_from as "liveFrom", history_next as "historyNext" from watched_address
    where chain_id = ${chainId} and near_from is null and history_next is not null and pass is null
      and live_from <= ${cursor + 1n}
    order by live_from limit ${limit}`)
}

/** Records that their past is backfilled from `nearFrom` on. */
export async function finishNearPast(
  transaction: CommonQueryMethods,
  chainId: number,
  addresses: readonly string[],
  nearFrom: bigint,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    update watched_address
    set near_from = ${nearFrom}, history_next = case when history_next < ${nearFrom} then history_next end
    where chain_id = ${chainId} and near_from is null and address = any(${sql.array(addresses, 'text')})`)
}

const historyRow = z.object({ address: hexText, nearFrom: z.bigint(), historyNext: z.bigint() })
/**
 * An address whose past is still being backfilled: `historyNext` is the next block to read; from `nearFrom` on
 * everything is known.
 */
export type AddressBackfill = z.output<typeof historyRow>

/**
 * Lists some of the addresses whose backfill is furthest behind; all continue at the same block. No two belong to one
 * account, because one request to a node covers them all.
 */
export function findHistory(
  pool: CommonQueryMethods,
  chainId: number,
  limit: number,
): Promise<readonly AddressBackfill[]> {
  return pool.any(sql.type(historyRow)`
    select address, "nearFrom", "historyNext" from (
      select distinct on (coalesce(account_id::text, address)) address, near_from as "nearFrom",
        history_next as "historyNext"
      from watched_address left join stealth_address using (address)
      where chain_id = ${chainId} and near_from is not null and history_next is not null and pass is null
        and history_next = (
          select min(history_next) from watched_address
          where chain_id = ${chainId} and near_from is not null and history_next is not null and pass is null)
      order by coalesce(account_id::text, address), near_from, address
    ) as one_of_each order by "nearFrom", address limit ${limit}`)
}

/** True if the backfill of one of the addresses still needs a block; false after the chain was reset. */
export function isPastOf(
  transaction: CommonQueryMethods,
  chainId: number,
  addresses: readonly string[],
  block: bigint,
): Promise<boolean> {
  return transaction.exists(sql.typeAlias('void')`
    select from watched_address
    where chain_id = ${chainId} and address = any(${sql.array(addresses, 'text')}) and history_next <= ${block}`)
}

/** Records that their past is backfilled up to and including a block. */
export async function advanceHistory(
  transaction: CommonQueryMethods,
  chainId: number,
  addresses: readonly string[],
  upTo: bigint,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    update watched_address set history_next = case when near_from <= ${upTo + 1n} then null else ${upTo + 1n}::bigint end
    where chain_id = ${chainId} and near_from is not null and history_next is not null
      and address = any(${sql.array(addresses, 'text')})`)
}
