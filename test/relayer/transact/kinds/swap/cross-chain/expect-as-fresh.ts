import { expect } from 'vitest'
import { resetChain } from '../../../../../../db/chain/indexer/pop-blocks.ts'
import { sql } from '../../../../../../db/connect-database.ts'
import { waitUntilIndexed } from '../../../../../harness/chain-actors.ts'
import type { BridgeWorld } from './start-bridge-world.ts'
import { dumpOrders } from './watch-orders.ts'

/**
 * Deletes everything indexed and found about orders while the service is stopped, and expects the same again. Neither chain
 * may move meanwhile.
 * @param change Of the configuration with which it starts again.
 */
export async function expectAsFresh(
  world: BridgeWorld,
  change?: Parameters<BridgeWorld['restart']>[1],
): Promise<void> {
  const before = await dumpOrders(world)
  await world.restart(
    () =>
      world.service.database.pool.transaction(async (transaction) => {
        for (const { chainId, startBlock } of world.service.config.chains)
          await resetChain(transaction, chainId, startBlock, null)
        await transaction.query(sql.typeAlias('void')`
        update bridge_order set status = 'pending', deposit_tx = null, fill_tx = null, refund_tx = null,
          arrived_token = null, arrived_amount = null, origin_due = null, destination_due = null, ended_at = null`)
      }),
    change,
  )
  await waitUntilIndexed(world.service, world.origin.payer)
  await waitUntilIndexed(world.service, world.destination.payer)
  await expect.poll(() => dumpOrders(world)).toEqual(before)
}
