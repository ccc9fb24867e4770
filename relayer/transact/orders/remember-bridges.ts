import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import type { CommonQueryMethods } from 'slonik'
import type { Address } from 'viem'
import { listContractsInUse, rememberBridgeContracts } from '../../../db/transact/bridge-contracts.ts'
import type { ChainConfig } from '../../chain/nodes/config.ts'

/** The contracts by which a chain's side of orders is followed. */
export interface FollowedBridge {
  chainId: number
  spokePool: Address
  multicallHandler: Address | null
}

/** So long after its end an order may still be undone by a reorg. */
const ENDED_MS = 86_400_000

/**
 * By chain, the contracts with events of orders: the configured ones, and past ones on chains of orders that are still under
 * way. Without its fills a paid order would seem expired.
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
        ? 'orders are under way over a bridge that is no longer configured: they are followed to their end'
        : 'orders are under way with a chain that is no longer configured: nothing tells what becomes of them',
    )
  }
  return Map.groupBy(followed, ({ chainId }) => chainId)
}
