import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText } from '../column-types.ts'
import { sql } from '../connect-database.ts'

const readRow = z.object({ address: hexText, amount: z.bigint(), stale: z.boolean() })
/** What an address has of a token, as far as it was read; `stale` until it was read again. */
export type ReadHolding = z.output<typeof readRow>

/** The largest holdings of a token that an account has, at most `limit`: that many it takes to pay. */
export function listLargest(
  connection: CommonQueryMethods,
  accountId: string,
  { chainId, token, limit }: { chainId: number; token: string; limit: number },
): Promise<readonly ReadHolding[]> {
  return connection.any(sql.type(readRow)`
    select address, amount, stale from holding
    where owner_account_id = ${accountId}::uuid and chain_id = ${chainId} and token = ${token} and amount > 0
      and standard = 'erc20'
    order by amount desc, address limit ${limit}`)
}

/** Has the indexer read those holdings again. One that another transaction has in hand is being read. */
export async function markForReading(
  connection: CommonQueryMethods,
  { chainId, token }: { chainId: number; token: string },
  addresses: readonly string[],
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    with wanted as materialized (
      select address from holding
      where address = any(${sql.array([...addresses], 'text')}) and chain_id = ${chainId} and standard = 'erc20'
        and token = ${token} and token_id = 0
      order by address for update skip locked
    )
    update holding set stale = true from wanted
    where holding.address = wanted.address and holding.chain_id = ${chainId} and holding.standard = 'erc20'
      and holding.token = ${token} and holding.token_id = 0`)
}

/** What those addresses have of the token now; those that have nothing any more may be missing. */
export function listHoldingsOf(
  connection: CommonQueryMethods,
  { chainId, token }: { chainId: number; token: string },
  addresses: readonly string[],
): Promise<readonly ReadHolding[]> {
  return connection.any(sql.type(readRow)`
    select address, amount, stale and retry_at <= now() as stale from holding
    where address = any(${sql.array([...addresses], 'text')}) and chain_id = ${chainId} and standard = 'erc20'
      and token = ${token} and token_id = 0`)
}
