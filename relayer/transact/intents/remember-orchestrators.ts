import type { CommonQueryMethods } from 'slonik'
import type { Address } from 'viem'
import {
  listOrchestratorContracts,
  rememberOrchestratorContracts,
} from '../../../db/transact/orchestrator-contracts.ts'
import type { ChainConfig } from '../../chain/nodes/config.ts'

/**
 * Returns the present and all past Orchestrators of the settings, by chain. A pending intent is executed by the one
 * that it was signed for.
 */
export async function rememberOrchestrators(
  database: CommonQueryMethods,
  chains: readonly Pick<ChainConfig, 'chainId' | 'sending'>[],
): Promise<ReadonlyMap<number, readonly Address[]>> {
  const configured = chains.flatMap(({ chainId, sending }) =>
    sending ? [{ chainId, orchestrator: sending.orchestrator }] : [],
  )
  await rememberOrchestratorContracts(database, configured)
  const byChain = Map.groupBy(await listOrchestratorContracts(database), ({ chainId }) => chainId)
  return new Map(
    [...byChain].map(([chainId, rows]) => [chainId, rows.map(({ orchestrator }) => orchestrator)]),
  )
}
