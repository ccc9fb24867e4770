import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import type { CommonQueryMethods } from 'slonik'
import type { Address } from 'viem'
import { listEscrowsInUse, rememberCashContracts } from '../../../db/transact/cash-orders.ts'
import type { ChainConfig } from '../../chain/nodes/config.ts'

/** Time after its end during which a reorg may still undo a cash-out. */
const ENDED_MS = 86_400_000

/** Contracts whose events describe the cash-outs of a chain. */
export interface FollowedEscrow {
  chainId: number
  escrow: Address
  orchestrator: Address
}

/**
 * Returns the escrows to follow, by chain: the configured ones, and those of cash-outs that are still open.
 */
export async function rememberEscrows(
  database: CommonQueryMethods,
  chains: readonly Pick<ChainConfig, 'chainId' | 'venues'>[],
  logger: Logger,
): Promise<ReadonlyMap<number, readonly FollowedEscrow[]>> {
  const configured = chains.flatMap(({ chainId, venues: { peer } }): FollowedEscrow[] =>
    peer ? [{ chainId, escrow: peer.escrow, orchestrator: peer.orchestrator }] : [],
  )
  await rememberCashContracts(database, configured)
  const followed = [...configured]
  for (const one of await listEscrowsInUse(database, ENDED_MS)) {
    if (configured.some((now) => isDeepStrictEqual(now, one))) continue
    followed.push(one)
    const isIndexed = chains.some(({ chainId }) => chainId === one.chainId)
    logger.warn(
      { chainId: one.chainId, part: 'cash-outs' },
      isIndexed
        ? 'cash-outs are open at an escrow that is no longer configured: they are followed to their end'
        : 'cash-outs are open on a chain that is no longer configured: their end cannot be followed',
    )
  }
  return Map.groupBy(followed, ({ chainId }) => chainId)
}
