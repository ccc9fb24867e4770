import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'

const orchestratorContract = z.object({ chainId: smallInteger, orchestrator: hexText })
/** An Orchestrator on a chain. */
export type OrchestratorContractRow = z.output<typeof orchestratorContract>

/** Stores the configured Orchestrators; earlier ones stay. */
export async function rememberOrchestratorContracts(
  connection: CommonQueryMethods,
  contracts: readonly OrchestratorContractRow[],
): Promise<void> {
  for (const { chainId, orchestrator } of contracts)
    await connection.query(sql.typeAlias('void')`
      insert into orchestrator_contract (chain_id, orchestrator) values (${chainId}, ${orchestrator})
      on conflict do nothing`)
}

/** Lists all Orchestrators that were ever configured. */
export function listOrchestratorContracts(
  connection: CommonQueryMethods,
): Promise<readonly OrchestratorContractRow[]> {
  return connection.any(sql.type(orchestratorContract)`
    select chain_id as "chainId", orchestrator from orchestrator_contract order by created_at, orchestrator`)
}
