import type { DatabaseWatch } from '../../db/watch-database.ts'
import type { SharedState } from '../../db/shared-state/shared-state.ts'
import type { BroadcastEngine } from '../../relayer/chain/broadcast/broadcast-engine.ts'
import { findSendingAlarms } from '../../relayer/chain/broadcast/find-sending-alarms.ts'
import type { Indexer } from '../../relayer/chain/indexer/indexer.ts'
import type { Chains } from '../../relayer/chain/nodes/chain.ts'
import { findClockDrift } from '../../relayer/chain/nodes/find-clock-drift.ts'
import { watchContracts } from '../../relayer/chain/nodes/watch-contracts.ts'
import { watchVenues } from '../../relayer/transact/venues/watch-venues.ts'
import { findChainAlarms } from '../../relayer/chain/nodes/find-chain-alarms.ts'
import { findHeadProblem } from '../../relayer/chain/nodes/find-head-problem.ts'
import { dutiesOf, hasPools } from '../../relayer/chain/nodes/relayer-config.ts'
import type { ProvingPool } from '../../proving/proving-pool.ts'
import type { RelayerChain, RelayerChains } from '../../relayer/pool/relay/relayer-chain.ts'
import type { Logger } from '../logging.ts'
import {
  openAlarmBoard,
  type AlarmBoard,
  type AlarmSource,
  type Finding,
} from '../observation/alarm-board.ts'

/** Milliseconds between two writes to an idle database. */
const PROBE_EVERY_MS = 5_000

/** The parts whose faults the board shows. */
export interface WatchedParts {
  database: DatabaseWatch
  sharedState: SharedState
  chains: Chains
  relayerChains: RelayerChains
  broadcast: BroadcastEngine
  indexer: Pick<Indexer, 'problems'>
  proving: Pick<ProvingPool, 'stats'>
  logger: Logger
}

/** Opens the board of alarms over the parts of the service. */
export function watchAlarms(parts: WatchedParts): AlarmBoard {
  const venues = watchVenues([...parts.chains.values()].map(({ config }) => config))
  const board = openAlarmBoard([...listSources(parts), venues.find], parts.logger)
  const { stop } = board
  return {
    ...board,
    stop() {
      stop()
      venues.stop()
    },
  }
}

function listSources(parts: WatchedParts): AlarmSource[] {
  const { database, sharedState, chains, relayerChains, broadcast } = parts
  const ofService = (code: Finding['code'], detail: string): Finding => ({
    code,
    chainId: null,
    subject: null,
    detail,
  })
  const missingContracts = watchContracts(chains)
  return [
    async () => {
      const problem = await database.check(PROBE_EVERY_MS)
      return problem ? [ofService(problem.code, problem.detail)] : []
    },
    async () =>
      (await sharedState.healthy()) ? [] : [ofService('REDIS_DOWN', 'no connection, or no answer in time')],
    () => [...chains.values()].flatMap((chain) => findChainAlarms(chain, Date.now())),
    () =>
      [...relayerChains].flatMap(([chainId, { chain }]) =>
        findSendingAlarms(chainId, broadcast, dutiesOf(chain.config.relayer)),
      ),
    () => [...relayerChains.values()].flatMap(findPoolAlarms),
    // The alarms of the database and of the chain say why nothing is indexed without them.
    async () => ((await database.check(PROBE_EVERY_MS)) ? [] : findIndexingAlarms(parts)),
    missingContracts,
    () => findProofAlarms(parts.proving),
    () => {
      const drift = findClockDrift(database.clockAheadMs(), [...chains.values()])
      return drift === null ? [] : [ofService('CLOCK_DRIFT', drift)]
    },
  ]
}

/** Finds that the fast verifier and snarkjs disagreed about a proof; it stands until the service is started again. */
export function findProofAlarms(proving: Pick<ProvingPool, 'stats'>): Finding[] {
  const { disagreed } = proving.stats().crossChecks
  if (disagreed === 0) return []
  return [
    { code: 'VERIFIERS_DISAGREE', chainId: null, subject: null, detail: `${disagreed} proofs, see the log` },
  ]
}

const findIndexingAlarms = ({ indexer, chains }: WatchedParts): Finding[] =>
  [...indexer.problems()].flatMap(([chainId, detail]) => {
    const chain = chains.get(chainId)
    return chain && findHeadProblem(chain, Date.now()) === null
      ? [{ code: 'INDEXING_STOPPED', chainId, subject: null, detail }]
      : []
  })

/** Pools that cannot be read although the chain answers. */
function findPoolAlarms({ chain, pools }: RelayerChain): Finding[] {
  if (!hasPools(chain.config.relayer)) return []
  if (findHeadProblem(chain, Date.now()) !== null || (pools.isFresh() && pools.pools().length > 0)) return []
  const detail = pools.isFresh() ? 'no pool can be read' : 'the state of its pools is stale'
  return [{ code: 'POOL_STALE', chainId: chain.config.chainId, subject: null, detail }]
}
