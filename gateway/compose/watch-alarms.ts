import type { DatabaseWatch } from '../../db/watch-database.ts'
import type { SharedState } from '../../db/shared-state/shared-state.ts'
import type { BroadcastEngine } from '../../relayer/chain/broadcast/broadcast-engine.ts'
import { findSendingAlarms } from '../../relayer/chain/broadcast/find-sending-alarms.ts'
import type { Indexer } from '../../relayer/chain/indexer/indexer.ts'
import type { Chains } from '../../relayer/chain/nodes/chain.ts'
import { findChainAlarms } from '../../relayer/chain/nodes/find-chain-alarms.ts'
import { findHeadProblem } from '../../relayer/chain/nodes/find-head-problem.ts'
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
  sharedState: Pick<SharedState, 'healthy'>
  chains: Chains
  relayerChains: RelayerChains
  broadcast: Pick<BroadcastEngine, 'runway' | 'signers'>
  indexer: Pick<Indexer, 'problems'>
  logger: Logger
}

/** Opens the board of alarms over the parts of the service. */
export function watchAlarms(parts: WatchedParts): AlarmBoard {
  const { database, sharedState, chains, relayerChains, broadcast } = parts
  const ofService = (code: Finding['code'], detail: string): Finding => ({
    code,
    chainId: null,
    subject: null,
    detail,
  })
  const sources: AlarmSource[] = [
    async () => {
      const problem = await database.check(PROBE_EVERY_MS)
      return problem ? [ofService(problem.code, problem.detail)] : []
    },
    async () =>
      (await sharedState.healthy()) ? [] : [ofService('REDIS_DOWN', 'no connection, or no answer in time')],
    () => [...chains.values()].flatMap((chain) => findChainAlarms(chain, Date.now())),
    () => [...relayerChains.values()].flatMap(({ chain }) => findSendingAlarms(chain, broadcast)),
    () => [...relayerChains.values()].flatMap(findPoolAlarms),
    // The alarms of the database and of the chain say why nothing is indexed without them.
    async () => ((await database.check(PROBE_EVERY_MS)) ? [] : findIndexingAlarms(parts)),
  ]
  return openAlarmBoard(sources, parts.logger)
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
  if (findHeadProblem(chain, Date.now()) !== null || (pools.isFresh() && pools.pools().length > 0)) return []
  const detail = pools.isFresh() ? 'no pool can be read' : 'the state of its pools is stale'
  return [{ code: 'POOL_STALE', chainId: chain.config.chainId, subject: null, detail }]
}
