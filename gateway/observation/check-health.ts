import type { DatabasePool } from 'slonik'
import { isDatabaseReachable } from '../../db/is-reachable.ts'
import type { SharedState } from '../../db/shared-state/shared-state.ts'
import type { BroadcastEngine } from '../../relayer/chain/broadcast/broadcast-engine.ts'
import type { RelayerChains } from '../../relayer/pool/relay/relayer-chain.ts'

export interface HealthReport {
  ready: boolean
  checks: Record<string, { ok: boolean; detail?: string }>
}

/**
 * Whether the service can do its work: its database answers, and on at least one chain the pools are read and a signer
 * can send. A chain that is down is reported, but does not take the others' instances out of the load balancer.
 */
export async function checkHealth(parts: {
  database: DatabasePool
  sharedState: SharedState
  chains: RelayerChains
  broadcast: BroadcastEngine
}): Promise<HealthReport> {
  const [database, sharedState] = await Promise.all([
    isDatabaseReachable(parts.database),
    parts.sharedState.healthy(),
  ])
  const chains = [...parts.chains.values()].map(({ chain, pools }) => {
    const { chainId, name } = chain.config
    const problem = !pools.isFresh()
      ? 'its head is stale'
      : pools.pools().length === 0
        ? 'no pool can be read'
        : parts.broadcast.simulationSender(chainId) === null
          ? 'no signer can send'
          : null
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
