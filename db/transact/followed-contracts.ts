import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'

const bridgeContract = z.object({
  chainId: smallInteger,
  spokePool: hexText,
  multicallHandler: hexText.nullable(),
})
/** The contracts of a bridge on a chain. */
type BridgeContractRow = z.output<typeof bridgeContract>

/** Stores the configured contracts; earlier ones stay. */
export async function storeBridges(
  connection: CommonQueryMethods,
  contracts: readonly BridgeContractRow[],
): Promise<void> {
  for (const { chainId, spokePool, multicallHandler } of contracts)
    await connection.query(sql.typeAlias('void')`
      insert into bridge_contract (chain_id, spoke_pool, multicall_handler)
      values (${chainId}, ${spokePool}, ${multicallHandler})
      on conflict (chain_id, spoke_pool, coalesce(multicall_handler, '')) do nothing`)
}

/** Lists all contracts of chains that orders leave or reach, if those are open or ended less than `endedMs` ago. */
export function listBridgesInUse(
  connection: CommonQueryMethods,
  endedMs: number,
): Promise<readonly BridgeContractRow[]> {
  return connection.any(sql.type(bridgeContract)`
    select chain_id as "chainId", spoke_pool as "spokePool", multicall_handler as "multicallHandler"
    from bridge_contract where exists (
      select from bridge_order where chain_id in (origin_chain_id, destination_chain_id)
        and (ended_at is null or ended_at > now() - ${endedMs} * interval '1 ms')
    )`)
}

const cashContract = z.object({ chainId: smallInteger, escrow: hexText, orchestrator: hexText })
/** An escrow of cash-outs on a chain, and the orchestrator of its buyers. */
type CashContractRow = z.output<typeof cashContract>

/** Stores the configured escrows; earlier ones stay. */
export async function storeEscrows(
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

const orchestratorContract = z.object({ chainId: smallInteger, orchestrator: hexText })
/** An Orchestrator on a chain. */
type OrchestratorContractRow = z.output<typeof orchestratorContract>

/** Stores the configured Orchestrators; earlier ones stay. */
export async function storeOrchestrators(
  connection: CommonQueryMethods,
  contracts: readonly OrchestratorContractRow[],
): Promise<void> {
  for (const { chainId, orchestrator } of contracts)
    await connection.query(sql.typeAlias('void')`
      insert into orchestrator_contract (chain_id, orchestrator) values (${chainId}, ${orchestrator})
      on conflict do nothing`)
}

/** Lists all Orchestrators that were ever configured. */
export function listOrchestrators(
  connection: CommonQueryMethods,
): Promise<readonly OrchestratorContractRow[]> {
  return connection.any(sql.type(orchestratorContract)`
    select chain_id as "chainId", orchestrator from orchestrator_contract order by created_at, orchestrator`)
}
