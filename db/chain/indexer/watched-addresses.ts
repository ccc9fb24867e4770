import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import { byAddress } from '../../account-table.ts'

/** What an account's erasure and export make of it. */
export const watchedAddressTable = byAddress('watched_address')

const NATIVE_TOKEN = '0x0000000000000000000000000000000000000000'
/** A row may become visible some time after its created_at: a transaction takes as long as it takes. */
const LOOK_BACK_MS = 10 * 60_000

const newcomer = z.object({ address: hexText, createdAt: z.date() })
/** A stealth address that a chain does not watch yet. */
export type Newcomer = z.output<typeof newcomer>

/** Stealth addresses that the chain does not watch yet, at most `limit`; `since` is the newest that was found before. */
export function findNewcomers(
  pool: CommonQueryMethods,
  chainId: number,
  since: Date | null,
  limit: number,
): Promise<readonly Newcomer[]> {
  return pool.any(sql.type(newcomer)`
    select address, created_at as "createdAt" from stealth_address
    where ${isNewcomer(chainId, since)}
    order by created_at limit ${limit}`)
}

/** When the newest stealth address was made; null where there is none. */
export function readNewestMoment(pool: CommonQueryMethods): Promise<Date | null> {
  return pool.oneFirst(sql.type(z.object({ newest: z.date().nullable() }))`
    select max(created_at) as newest from stealth_address`)
}

/** Of a row of `stealth_address`: see {@link findNewcomers}. */
export function isNewcomer(chainId: number, since: Date | null) {
  const from = new Date((since?.getTime() ?? LOOK_BACK_MS) - LOOK_BACK_MS)
  return sql.fragment`created_at >= ${sql.timestamp(from)} and not exists (
      select from watched_address watched
      where watched.chain_id = ${chainId} and watched.address = stealth_address.address)`
}

/**
 * Watches addresses from a block on, and schedules their backfill when there are earlier blocks. Their native
 * balances are marked stale, because they may have received coins before.
 */
export async function watchAddresses(
  transaction: CommonQueryMethods,
  chainId: number,
  addresses: readonly string[],
  { liveFrom, startBlock }: { liveFrom: bigint; startBlock: bigint },
): Promise<void> {
  const past = liveFrom > startBlock
  const wanted = sql.fragment`unnest(${sql.array(addresses, 'text')}) as wanted (address)`
  const isThere = sql.fragment`exists (select from stealth_address stealth where stealth.address = wanted.address)`
  await transaction.query(sql.typeAlias('void')`
    insert into watched_address (chain_id, address, live_from, near_from, history_next)
    select ${chainId}, address, ${liveFrom}, ${past ? null : startBlock}::bigint, ${past ? startBlock : null}::bigint
    from ${wanted} where ${isThere}
    on conflict do nothing`)
  await transaction.query(sql.typeAlias('void')`
    insert into holding (chain_id, address, standard, token, stale)
    select ${chainId}, address, 'native', ${NATIVE_TOKEN}, true from ${wanted} where ${isThere} on conflict do nothing`)
}

/** All addresses that a chain watches, in pages ordered by text. */
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

/** Those of the addresses that the chain watches, each with what names its account. */
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

const pastRow = z.object({ address: hexText, liveFrom: z.bigint() })

/**
 * Addresses whose recent past, up to the block from which they are matched live, is still to be backfilled.
 */
export function findNearPast(
  pool: CommonQueryMethods,
  chainId: number,
  cursor: bigint,
  limit: number,
): Promise<readonly z.output<typeof pastRow>[]> {
  return pool.any(sql.type(pastRow)`
    select address, live_from as "liveFrom" from watched_address
    where chain_id = ${chainId} and near_from is null and history_next is not null and live_from <= ${cursor + 1n}
    order by live_from limit ${limit}`)
}

/** Records that their past is backfilled from `nearFrom` on. */
export async function finishNearPast(
  transaction: CommonQueryMethods,
  chainId: number,
  addresses: readonly string[],
  { nearFrom, startBlock }: { nearFrom: bigint; startBlock: bigint },
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    update watched_address set near_from = ${nearFrom}, history_next = ${nearFrom > startBlock ? startBlock : null}::bigint
    where chain_id = ${chainId} and near_from is null and address = any(${sql.array(addresses, 'text')})`)
}

const historyRow = z.object({ address: hexText, nearFrom: z.bigint(), historyNext: z.bigint() })
/**
 * An address whose past is still being backfilled: `historyNext` is the next block to read, `nearFrom` the block
 * from which on everything is known.
 */
export type History = z.output<typeof historyRow>

/**
 * Some of the addresses whose backfill has come least far; all of them continue at the same block. No two belong to
 * one account, because the nodes are asked about them together.
 */
export function findHistory(
  pool: CommonQueryMethods,
  chainId: number,
  limit: number,
): Promise<readonly History[]> {
  return pool.any(sql.type(historyRow)`
    select address, "nearFrom", "historyNext" from (
      select distinct on (coalesce(account_id::text, address)) address, near_from as "nearFrom",
        history_next as "historyNext"
      from watched_address left join stealth_address using (address)
      where chain_id = ${chainId} and near_from is not null and history_next is not null and history_next = (
        select min(history_next) from watched_address
        where chain_id = ${chainId} and near_from is not null and history_next is not null)
      order by coalesce(account_id::text, address), near_from, address
    ) as one_of_each order by "nearFrom", address limit ${limit}`)
}

/** Whether the backfill of one of the addresses still needs a block; false after the chain was reset. */
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

/** Records that their past is backfilled up to a block, that block included. */
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
