import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'

/** What one relay brought and cost, from its receipt. `withdrawn` and `feeReceived` in the asset's smallest unit, the rest in wei. */
export interface LedgerEntry {
  requestId: string
  chainId: number
  pool: string
  asset: string
  withdrawn: bigint
  feeReceived: bigint
  gasSpent: bigint
  topUpSpent: bigint
  gasUsed: bigint
  txHash: string
}

/** Books a relay; a request is booked once, a second booking throws. */
export async function bookRelay(connection: CommonQueryMethods, entry: LedgerEntry): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    insert into relay_ledger (request_id, chain_id, pool, asset, withdrawn, fee_received, gas_spent, top_up_spent,
      gas_used, tx_hash)
    values (${entry.requestId}, ${entry.chainId}, ${entry.pool}, ${entry.asset}, ${entry.withdrawn},
      ${entry.feeReceived}, ${entry.gasSpent}, ${entry.topUpSpent},
      ${entry.gasUsed}, ${entry.txHash})`)
}

const sumRow = z.object({
  chainId: z.bigint().transform(Number),
  asset: z.string(),
  relays: z.bigint().transform(Number),
  withdrawn: z.bigint(),
  feeReceived: z.bigint(),
  gasSpent: z.bigint(),
  topUpSpent: z.bigint(),
})
export type LedgerSum = z.output<typeof sumRow>

/** The ledger summed by chain and asset, exact. */
export function sumLedger(connection: CommonQueryMethods): Promise<readonly LedgerSum[]> {
  return connection.any(sql.type(sumRow)`
    select chain_id as "chainId", asset, count(*) filter (where withdrawn > 0) as relays, sum(withdrawn) as withdrawn,
      sum(fee_received) as "feeReceived", sum(gas_spent) as "gasSpent", sum(top_up_spent) as "topUpSpent"
    from relay_ledger group by chain_id, asset order by chain_id, asset`)
}

const gasRow = z.object({ chainId: z.bigint().transform(Number), pool: z.string(), gasUsed: z.bigint() })

/** Gas that the newest successful plain relays (no top-up beside them) of each pool used, oldest first. */
export async function listRelayGas(
  connection: CommonQueryMethods,
  limitPerPool: number,
): Promise<readonly z.output<typeof gasRow>[]> {
  return connection.any(sql.type(gasRow)`
    select newest.chain_id as "chainId", newest.pool, newest.gas_used as "gasUsed"
    from (select distinct chain_id, pool from relay_ledger) as known
    cross join lateral (
      select chain_id, pool, gas_used, booked_at from relay_ledger
      where chain_id = known.chain_id and pool = known.pool and withdrawn > 0 and top_up_spent = 0
      order by booked_at desc limit ${limitPerPool}
    ) as newest
    order by newest.booked_at`)
}
