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
export type BridgeContractRow = z.output<typeof bridgeContract>

/** Stores the configured contracts; earlier ones stay. */
export async function rememberBridgeContracts(
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
export function listContractsInUse(
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
