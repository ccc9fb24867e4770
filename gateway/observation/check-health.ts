import type { DatabasePool } from 'slonik'
import { findDatabaseProblem } from '../../db/find-database-problem.ts'
import type { SharedState } from '../../db/shared-state/shared-state.ts'
import type { BroadcastEngine } from '../../relayer/chain/broadcast/broadcast-engine.ts'
import { isHeadFresh } from '../../relayer/chain/nodes/is-head-fresh.ts'
import type { Chain, Chains } from '../../relayer/chain/nodes/chain.ts'
import type { RelayerChain, RelayerChains } from '../../relayer/pool/relay/relayer-chain.ts'

const STALE = 'its head is stale'

export interface HealthReport {
  ready: boolean
  checks: Record<string, { ok: boolean; detail?: string }>
}

export interface HealthParts {
  database: DatabasePool
  sharedState: SharedState
  /** Every served chain. */
  chains: Chains
  relayerChains: RelayerChains
  broadcast: BroadcastEngine
}

/**
 * Checks whether the service can work: the database answers, and at least one chain is ready for everything that it
 * is configured for. A chain that is down is reported, but does not remove the instance from the load balancer.
 */
export async function checkHealth(parts: HealthParts): Promise<HealthReport> {
  const [databaseProblem, sharedState] = await Promise.all([
    findDatabaseProblem(parts.database),
    parts.sharedState.healthy(),
  ])
  const chains = [...parts.chains.values()].map((chain) => {
    const { chainId, name } = chain.config
    const relayerChain = parts.relayerChains.get(chainId)
    const problem = relayerChain ? findProblem(relayerChain, parts) : findHeadProblem(chain)
    return [
      `chain ${chainId} ${name}`,
      problem === null ? { ok: true } : { ok: false, detail: problem },
    ] as const
  })
  const sending = [...parts.relayerChains.keys()].flatMap((chainId) =>
    parts.broadcast.runway(chainId) === 0
      ? [[`sending on chain ${chainId}`, { ok: false, detail: 'no signer has coins for gas' }] as const]
      : [],
  )
  return {
    ready: databaseProblem === null && chains.some(([, { ok }]) => ok),
    checks: {
      database: databaseProblem === null ? { ok: true } : { ok: false, detail: databaseProblem },
      // Relays work without the shared state; only live progress of other instances is missing.
      'shared state': { ok: sharedState },
      ...Object.fromEntries(chains),
      // Without gas the service still reads: it stays behind the load balancer.
      ...Object.fromEntries(sending),
    },
  }
}

/** Why a chain with a relayer is not ready; null if it is. */
function findProblem(
  { chain, pools }: RelayerChain,
  { broadcast }: Pick<HealthParts, 'broadcast'>,
): string | null {
  if (!pools.isFresh()) return STALE
  if (pools.pools().length === 0) return 'no pool can be read'
  const { chainId } = chain.config
  const canSend = broadcast.simulationSender(chainId) !== null || broadcast.runway(chainId) === 0
  return canSend ? null : 'no signer can send'
}

/** Receiving only needs a chain that answers. */
function findHeadProblem(chain: Chain): string | null {
  return isHeadFresh(chain, Date.now()) ? null : STALE
}
