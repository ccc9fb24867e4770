import { isDeepStrictEqual } from 'node:util'
import type { Address } from 'viem'
import {
  listBridgesInUse,
  listEscrowsInUse,
  listOrchestrators,
  storeBridges,
  storeEscrows,
  storeOrchestrators,
} from '../../db/transact/followed-contracts.ts'
import type { ChainConfig } from '../chain/nodes/config.ts'
import type { ServiceBase } from '../service-base.ts'

/** Time after its end during which a reorg may still undo an order. */
const ENDED_MS = 86_400_000

type Chains = readonly Pick<ChainConfig, 'chainId' | 'venues' | 'sending'>[]
type Base = Pick<ServiceBase, 'database' | 'logger'>

/**
 * Stores the configured contracts, and returns by chain every contract of present and past settings whose orders and
 * intents are followed to their end.
 */
export async function rememberContracts(base: Base, chains: Chains) {
  return {
    bridges: await rememberBridges(base, chains),
    escrows: await rememberEscrows(base, chains),
    orchestrators: await rememberOrchestrators(base, chains),
  }
}

/** The configured bridges, and past ones that open orders need: without the event of its fill, a paid order would expire. */
async function rememberBridges(base: Base, chains: Chains) {
  const configured = chains.flatMap(({ chainId, venues: { across } }) =>
    across
      ? [{ chainId, spokePool: across.spokePool, multicallHandler: across.multicallHandler ?? null }]
      : [],
  )
  await storeBridges(base.database, configured)
  return addFormer(base, chains, {
    part: 'orders',
    configured,
    inUse: await listBridgesInUse(base.database, ENDED_MS),
    indexed: 'orders are pending over a bridge that is no longer configured: they are followed to their end',
    gone: 'orders are pending with a chain that is no longer configured: their end cannot be followed',
  })
}

/** The configured escrows, and those of cash-outs that are still open. */
async function rememberEscrows(base: Base, chains: Chains) {
  const configured = chains.flatMap(({ chainId, venues: { peer } }) =>
    peer ? [{ chainId, escrow: peer.escrow, orchestrator: peer.orchestrator }] : [],
  )
  await storeEscrows(base.database, configured)
  return addFormer(base, chains, {
    part: 'cash-outs',
    configured,
    inUse: await listEscrowsInUse(base.database, ENDED_MS),
    indexed: 'cash-outs are open at an escrow that is no longer configured: they are followed to their end',
    gone: 'cash-outs are open on a chain that is no longer configured: their end cannot be followed',
  })
}

/** The present and all past Orchestrators: a pending intent is executed by the one that it was signed for. */
async function rememberOrchestrators(
  { database }: Base,
  chains: Chains,
): Promise<ReadonlyMap<number, readonly Address[]>> {
  const configured = chains.flatMap(({ chainId, sending }) =>
    sending ? [{ chainId, orchestrator: sending.orchestrator }] : [],
  )
  await storeOrchestrators(database, configured)
  const byChain = Map.groupBy(await listOrchestrators(database), ({ chainId }) => chainId)
  return new Map(
    [...byChain].map(([chainId, rows]) => [chainId, rows.map(({ orchestrator }) => orchestrator)]),
  )
}

interface Former<Contract> {
  part: string
  configured: readonly Contract[]
  inUse: readonly Contract[]
  /** Warnings about a contract that only open orders need, on a chain that is still indexed and on one that is not. */
  indexed: string
  gone: string
}

function addFormer<Contract extends { chainId: number }>(
  { logger }: Base,
  chains: Chains,
  { part, configured, inUse, indexed, gone }: Former<Contract>,
): ReadonlyMap<number, readonly Contract[]> {
  const former = inUse.filter((one) => !configured.some((now) => isDeepStrictEqual(now, one)))
  for (const { chainId } of former)
    logger.warn({ chainId, part }, chains.some((chain) => chain.chainId === chainId) ? indexed : gone)
  return Map.groupBy([...configured, ...former], ({ chainId }) => chainId)
}
