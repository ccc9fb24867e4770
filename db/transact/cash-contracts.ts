import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'

const cashContract = z.object({ chainId: smallInteger, escrow: hexText, orchestrator: hexText })
/** An escrow of cash-outs on a chain, and the orchestrator of its buyers. */
export type CashContractRow = z.output<typeof cashContract>

/** Stores the configured escrows; earlier ones stay. */
export async function rememberCashContracts(
  connection: CommonQueryMethods,
  contracts: readonly CashContractRow[],
): Promise<void> {
  for (const { chainId, escrow, orchestrator } of contracts)
    await connection.query(sql.typeAlias('void')`
      insert into cash_contract (chain_id, escrow, orchestrator) values (${chainId}, ${escrow}, ${orchestrator})
      on conflict do nothing`)
}

/** Lists escrows with cash-outs that are open or ended less than `endedMs` ago. */
export function listEscrowsInUse(
  connection: CommonQueryMethods,
  endedMs: number,
): Promise<readonly CashContractRow[]> {
  return connection.any(sql.type(cashContract)`
    select chain_id as "chainId", escrow, orchestrator from cash_contract where exists (
      select from cash_order
      where cash_order.chain_id = cash_contract.chain_id and cash_order.escrow = cash_contract.escrow
        and (ended_at is null or ended_at > now() - ${endedMs} * interval '1 ms')
    )`)
}
