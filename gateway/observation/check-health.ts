import type { DatabasePool } from 'slonik'
import { isDatabaseReachable } from '../../db/is-reachable.ts'
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
 * Tells whether the service can do its work: its database answers, and at least one chain can do all that it is configured
 * for. A chain that is down is reported, but does not take the others' instances out of the load balancer.
 */
export async function checkHealth(parts: HealthParts): Promise<HealthReport> {
  const [database, sharedState] = await Promise.all([
    isDatabaseReachable(parts.database),
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
  return {
    ready: database && chains.some(([, { ok }]) => ok),
    checks: {
      database: { ok: database },
      // Relays do not need it: without it only live progress stops at this instance.
      'shared state': { ok: sharedState },
      ...Object.fromEntries(chains),
    },
  }
}

/** What keeps a chain with a relayer from being ready; null when nothing does. */
function findProblem(
  { chain, pools }: RelayerChain,
  { broadcast }: Pick<HealthParts, 'broadcast'>,
): string | null {
  if (!pools.isFresh()) return STALE
  if (pools.pools().length === 0) return 'no pool can be read'
  return broadcast.simulationSender(chain.config.chainId) === null ? 'no signer can send' : null
}

/** Receiving needs a chain that answers, and nothing else of it. */
function findHeadProblem(chain: Chain): string | null {
  return isHeadFresh(chain, Date.now()) ? null : STALE
}
