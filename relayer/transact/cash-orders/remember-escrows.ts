import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import type { CommonQueryMethods } from 'slonik'
import type { Address } from 'viem'
import { listEscrowsInUse, rememberCashContracts } from '../../../db/transact/cash-contracts.ts'
import type { ChainConfig } from '../../chain/nodes/config.ts'

/** So long after its end a cash-out may still be undone by a reorg. */
const ENDED_MS = 86_400_000

/** The contracts by which cash-outs of a chain are followed. */
export interface FollowedEscrow {
  chainId: number
  escrow: Address
  orchestrator: Address
}

/**
 * By chain, the escrows whose events tell of cash-outs: those that are configured, and those that were when one that is still
 * open was signed.
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
        : 'cash-outs are open on a chain that is no longer configured: nothing tells what becomes of them',
    )
  }
  return Map.groupBy(followed, ({ chainId }) => chainId)
}
