import type { DatabaseWatch } from '../../db/watch-database.ts'
import type { SharedState } from '../../db/shared-state/shared-state.ts'
import type { BroadcastEngine } from '../../relayer/chain/broadcast/broadcast-engine.ts'
import { findSendingAlarms } from '../../relayer/chain/broadcast/find-sending-alarms.ts'
import { findHeadProblem } from '../../relayer/chain/nodes/find-head-problem.ts'
import type { Chains } from '../../relayer/chain/nodes/chain.ts'
import { DUTIES, hasPools, type Duty } from '../../relayer/chain/nodes/relayer-config.ts'
import type { Health } from './health-routes.ts'
import type { RelayerChain, RelayerChains } from '../../relayer/pool/relay/relayer-chain.ts'

export interface HealthParts {
  database: DatabaseWatch
  sharedState: SharedState
  /** Every served chain. */
  chains: Chains
  relayerChains: RelayerChains
  broadcast: BroadcastEngine
}

/**
 * Checks whether the service can work: the database answers, and at least one chain is ready for all its configured
 * duties. A chain that is down is reported, but does not remove the instance from the load balancer.
 */
export async function checkHealth(parts: HealthParts): Promise<Health> {
  const [databaseProblem, sharedState] = await Promise.all([
    parts.database.check(CHECKED_WITHIN_MS),
    parts.sharedState.healthy(),
  ])
  const chains = [...parts.chains.values()].map((chain) => {
    const { chainId, name } = chain.config
    const relayerChain = parts.relayerChains.get(chainId)
    const problem = relayerChain ? findProblem(relayerChain, parts) : findHeadProblem(chain, Date.now())
    return [
      `chain ${chainId} ${name}`,
      problem === null ? { ok: true } : { ok: false, detail: problem },
    ] as const
  })
  const nodes = [...parts.chains.values()].flatMap(({ nodes: ring, config: { chainId } }) => {
    const details = ring.statuses().flatMap(({ name, detail }) => (detail ? [`${name} ${detail}`] : []))
    return details.length > 0
      ? [[`nodes of chain ${chainId}`, { ok: false, detail: details.join('; ') }] as const]
      : []
  })
  const sending = [...parts.relayerChains.keys()].flatMap((chainId) => {
    const dry = listDry(parts.broadcast, chainId)
    if (dry.length === 0) return []
    const detail =
      dry.length === 2 ? 'no signer has coins for gas' : `no signer of ${dry[0]} has coins for gas`
    return [[`sending on chain ${chainId}`, { ok: false, detail }] as const]
  })
  const canSend = [...parts.relayerChains.values()].map((relayerChain) => {
    const { chain } = relayerChain
    const isReady = databaseProblem === null && findProblem(relayerChain, parts) === null
    const faults = findSendingAlarms(chain.config.chainId, parts.broadcast).filter(
      ({ code }) => code !== 'SIGNER_LOW',
    )
    const can = (duty: Duty) => isReady && faults.every(({ subject }) => subject !== null && subject !== duty)
    return [
      chain.config.chainId,
      {
        sends: can('sends'),
        relays: hasPools(chain.config.relayer) && can('relays'),
      },
    ] as const
  })
  return {
    ready: databaseProblem === null && chains.some(([, { ok }]) => ok),
    canSend: Object.fromEntries(canSend),
    checks: {
      database: databaseProblem === null ? { ok: true } : { ok: false, detail: databaseProblem.detail },
      // Relays work without the shared state; only live progress of other instances is missing.
      'shared state': { ok: sharedState },
      ...Object.fromEntries(chains),
      // Other nodes answer instead.
      ...Object.fromEntries(nodes),
      // Without gas the service can still read, and stays behind the load balancer.
      ...Object.fromEntries(sending),
    },
  }
}

/** Reason why a chain with a relayer is not ready; null if it is. */
function findProblem({ chain, pools }: RelayerChain, { broadcast }: HealthParts): string | null {
  const headProblem = findHeadProblem(chain, Date.now())
  if (headProblem !== null) return headProblem
  if (!pools.isFresh()) return 'its pools are stale'
  if (hasPools(chain.config.relayer) && pools.pools().length === 0) return 'no pool can be read'
  const { chainId } = chain.config
  const dry = listDry(broadcast, chainId)
  const isStuck = (duty: Duty) => broadcast.simulationSender(chainId, duty) === null && !dry.includes(duty)
  return DUTIES.every(isStuck) ? 'no signer can send' : null
}

/** A younger write to the database is not repeated. */
const CHECKED_WITHIN_MS = 1_000

/** The duties whose signers have no coins at all. */
const listDry = (broadcast: BroadcastEngine, chainId: number): Duty[] =>
  DUTIES.filter((duty) => broadcast.runway(chainId, duty) === 0)
