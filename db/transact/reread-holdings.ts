import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText } from '../column-types.ts'
import { sql } from '../connect-database.ts'

const readRow = z.object({ address: hexText, amount: z.bigint(), stale: z.boolean() })
/** An address's amount of a token, as it was last read; `stale` until it is read again. */
export type ReadHolding = z.output<typeof readRow>

/** The account's largest holdings of a token, at most `limit`. A payment needs no more. */
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

/** Marks those holdings for the indexer to read again. One that another transaction has locked is being read. */
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

/** The addresses' amounts of the token now; an address that has none left may be missing. */
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
