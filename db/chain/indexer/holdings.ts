import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import { standard } from './rows.ts'
import { byAddress } from '../../account-table.ts'

/** How an account's erasure and export treat the table. */
export const holdingTable = byAddress('holding')

const keyRow = z.object({ address: hexText, standard, token: hexText, tokenId: z.bigint() })
/** Address and asset of a holding; `tokenId` is 0 where the standard has no ids. */
export type HoldingKey = z.output<typeof keyRow>
/** Reason why the amount of a holding may differ from its chain; `db/schema/chain.sql` explains each. */
export type HoldingProblem = 'absurd' | 'unreadable' | 'unwritable'
/** An amount read from a node, in the token's smallest unit; 0 where it is absurd. */
export interface Reading extends HoldingKey {
  amount: bigint
  isAbsurd?: boolean
}

const staleRow = keyRow.extend({ owner: z.string(), amount: z.bigint() })
/**
 * A holding to be read again, with its last known amount. One request to a node must not contain two holdings of one
 * `owner`, because that would link them.
 */
export type StaleHolding = z.output<typeof staleRow>

/** Condition: the holding is stale and its retry is due. */
export const isDue = sql.fragment`stale and retry_at <= now()`

/** Lists holdings whose read is due, at most `limit`. */
export function findStale(
  pool: CommonQueryMethods,
  chainId: number,
  limit: number,
): Promise<readonly StaleHolding[]> {
  return pool.any(sql.type(staleRow)`
    select address, standard, token, token_id as "tokenId", amount,
      coalesce(account_id::text, address) as owner
    from holding left join stealth_address using (address)
    where chain_id = ${chainId} and ${isDue} order by retry_at limit ${limit}`)
}

/** Skips addresses whose account was deleted while a node was queried. The chain must be locked. */
const isStillSomebodys = (table: string) => sql.fragment`exists (
  select from stealth_address where stealth_address.address = ${sql.identifier([table, 'address'])})`

const unnestKeys = (chainId: number, keys: readonly HoldingKey[]) =>
  sql.unnest(
    keys.map((key) => [chainId, key.address, key.standard, key.token, String(key.tokenId)]),
    ['int8', 'text', 'text', 'text', 'numeric'],
  )

/**
 * Marks holdings to be read again. With `onlyNew` it marks only holdings without a row, because existing rows already
 * reflect the block.
 */
export async function markStale(
  transaction: CommonQueryMethods,
  chainId: number,
  keys: readonly HoldingKey[],
  onlyNew = false,
): Promise<void> {
  if (keys.length === 0) return
  const rows = unnestKeys(chainId, keys)
  const known = onlyNew
    ? sql.fragment`do nothing`
    : sql.fragment`do update set stale = true, retry_at = '-infinity'`
  await transaction.query(sql.typeAlias('void')`
    insert into holding (chain_id, address, standard, token, token_id, stale)
    select *, true from ${rows} as touched (chain_id, address, standard, token, token_id)
    where ${isStillSomebodys('touched')}
    order by address, chain_id, standard, token, token_id
    on conflict (address, chain_id, standard, token, token_id) ${known}`)
}

/** Writes amounts that the chain reported after a block. */
export async function writeReadings(
  transaction: CommonQueryMethods,
  chainId: number,
  readings: readonly Reading[],
  block: { number: bigint; hash: string },
): Promise<void> {
  if (readings.length === 0) return
  const rows = sql.unnest(
    readings.map((key) => [
      chainId,
      key.address,
      key.standard,
      key.token,
      String(key.tokenId),
      String(key.amount),
      key.isAbsurd ? 'absurd' : null,
    ]),
    ['int8', 'text', 'text', 'text', 'numeric', 'numeric', 'text'],
  )
  await transaction.query(sql.typeAlias('void')`
    insert into holding (chain_id, address, standard, token, token_id, amount, problem, stale, as_of_number, as_of_hash)
    select *, false, ${block.number}, ${block.hash}
    from ${rows} as said (chain_id, address, standard, token, token_id, amount, problem)
    where ${isStillSomebodys('said')}
    order by address, chain_id, standard, token, token_id
    on conflict (address, chain_id, standard, token, token_id) do update
      set amount = excluded.amount, stale = false, as_of_number = excluded.as_of_number,
        as_of_hash = excluded.as_of_hash, problem = excluded.problem, retry_at = '-infinity'`)
}

/** Delays the next read of problematic holdings, so that it does not run together with others. Their amounts stay. */
export async function setHoldingsAside(
  transaction: CommonQueryMethods,
  chainId: number,
  keys: readonly HoldingKey[],
  { problem, forMs }: { problem: HoldingProblem; forMs: number },
): Promise<void> {
  if (keys.length === 0) return
  await transaction.query(sql.typeAlias('void')`
    insert into holding (chain_id, address, standard, token, token_id, stale, problem, retry_at)
    select *, true, ${problem}, now() + ${forMs} * interval '1 ms'
    from ${unnestKeys(chainId, keys)} as aside (chain_id, address, standard, token, token_id)
    where ${isStillSomebodys('aside')}
    order by address, chain_id, standard, token, token_id
    on conflict (address, chain_id, standard, token, token_id) do update
      set stale = true, problem = excluded.problem, retry_at = excluded.retry_at`)
}

/** Lists held tokens after a given key, in key order, at most `limit`. */
export function listHeldTokens(
  pool: CommonQueryMethods,
  chainId: number,
  after: { address: string; token: string },
  limit: number,
): Promise<readonly StaleHolding[]> {
  return pool.any(sql.type(staleRow)`
    select address, standard, token, token_id as "tokenId", amount, coalesce(account_id::text, address) as owner
    from (
      select * from holding
      where (address, chain_id, standard, token) > (${after.address}, ${chainId}, 'erc20', ${after.token})
        and chain_id = ${chainId} and standard = 'erc20' and amount > 0 and not stale
      order by address, chain_id, standard, token limit ${limit}
    ) as held left join lateral (
      -- Each by its key: the planner would hash all addresses for one page.
      select account_id from stealth_address where stealth_address.address = held.address offset 0
    ) as owned on true
    order by address, token`)
}

/** Removes all holdings of a token of a chain. The chain must be locked. */
export async function forgetToken(
  transaction: CommonQueryMethods,
  chainId: number,
  token: string,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    delete from holding where chain_id = ${chainId} and standard = 'erc20' and token = ${token}`)
}

/** Stored native amounts of the addresses; an address without a row is absent. */
export function readNativeAmounts(
  pool: CommonQueryMethods,
  chainId: number,
  addresses: readonly string[],
): Promise<readonly { address: `0x${string}`; amount: bigint }[]> {
  return pool.any(sql.type(z.object({ address: hexText, amount: z.bigint() }))`
    select address, amount from holding
    where chain_id = ${chainId} and standard = 'native' and address = any(${sql.array(addresses, 'text')})`)
}
