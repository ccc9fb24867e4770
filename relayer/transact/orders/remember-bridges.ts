import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import type { CommonQueryMethods } from 'slonik'
import type { Address } from 'viem'
import { listContractsInUse, rememberBridgeContracts } from '../../../db/transact/bridge-orders.ts'
import type { ChainConfig } from '../../chain/nodes/config.ts'

/** Contracts whose events describe a chain's side of orders. */
export interface FollowedBridge {
  chainId: number
  spokePool: Address
  multicallHandler: Address | null
}

/** Time after its end during which a reorg may still undo an order. */
const ENDED_MS = 86_400_000

/**
 * Returns the contracts with events of orders, by chain: the configured ones, and past ones that open orders need.
 * Without the events of its fill, a paid order would seem expired.
 */
export async function rememberBridges(
  database: CommonQueryMethods,
  chains: readonly Pick<ChainConfig, 'chainId' | 'venues'>[],
  logger: Logger,
): Promise<ReadonlyMap<number, readonly FollowedBridge[]>> {
  const configured = chains.flatMap(({ chainId, venues: { across } }): FollowedBridge[] =>
    across
      ? [{ chainId, spokePool: across.spokePool, multicallHandler: across.multicallHandler ?? null }]
      : [],
  )
  await rememberBridgeContracts(database, configured)
  const followed = [...configured]
  for (const bridge of await listContractsInUse(database, ENDED_MS)) {
    if (configured.some((now) => isDeepStrictEqual(now, bridge))) continue
    followed.push(bridge)
    const isIndexed = chains.some(({ chainId }) => chainId === bridge.chainId)
    logger.warn(
      { chainId: bridge.chainId, part: 'orders' },
      isIndexed
        ? 'orders are pending over a bridge that is no longer configured: they are followed to their end'
        : 'orders are pending with a chain that is no longer configured: their end cannot be followed',
    )
  }
  return Map.groupBy(followed, ({ chainId }) => chainId)
}
