import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText } from '../column-types.ts'
import { sql } from '../connect-database.ts'

const readRow = z.object({ address: hexText, amount: z.bigint(), asOfBlock: z.bigint() })
/** An address's balance of a token, and the block at which it was last read. */
export type ReadHolding = z.output<typeof readRow>

/** Marks those holdings for a new read by the indexer. Skips locked ones: a read is already under way. */
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

/** Lists the addresses' balances of the token now; an address without a balance may be absent. */
export function listHoldingsOf(
  connection: CommonQueryMethods,
  { chainId, token }: { chainId: number; token: string },
  addresses: readonly string[],
): Promise<readonly ReadHolding[]> {
  return connection.any(sql.type(readRow)`
    select address, amount, coalesce(as_of_number, -1) as "asOfBlock" from holding
    where address = any(${sql.array([...addresses], 'text')}) and chain_id = ${chainId} and standard = 'erc20'
      and token = ${token} and token_id = 0`)
}
