import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { Address } from 'viem'
import { readIndexedChains, readSyncState, releaseChains } from '../../../db/chain/indexer/indexed-chains.ts'
import { listWaitingTogether } from '../../../db/chain/indexer/waiting-work.ts'
import type { SharedState } from '../../../db/shared-state/shared-state.ts'
import { coalesceRuns } from '../../concurrency/coalesce-runs.ts'
import { startClock } from '../../concurrency/even-times.ts'
import type { Chain, Chains } from '../nodes/chain.ts'
import { createAddressFilter, type AddressFilter } from './address-filter.ts'
import { openNodes } from './ask-nodes.ts'
import { INDEX_TOPIC, decodeChange, encodeChange } from './change-message.ts'
import { goesOn, type ChainIndex } from './chain-index.ts'
import { followRing } from './follow-ring.ts'
import type { BridgeContracts } from './find-bridge-events.ts'
import type { CashContracts } from './find-cash-events.ts'
import type { IndexerConfig } from './config.ts'
import type { IndexChange, Indexer } from './indexer.ts'
import { openBlockReader, type BlockReader } from './open-block-reader.ts'
import { reportProgress } from './report-progress.ts'
import { createChainRun } from './run-chain.ts'

/** Dependencies of the indexer. */
export interface IndexerOptions {
  chains: Chains
  pool: DatabasePool
  sharedState: SharedState
  logger: Logger
  config: IndexerConfig
  /**
   * Opens the reader of blocks; by default a thread of this indexer's own. Several indexers of one process may share one.
   */
  openReader?: typeof openBlockReader
  /** By chain, the contracts whose orders are followed; those of the configuration unless given. */
  bridges?: ReadonlyMap<number, readonly BridgeContracts[]>
  /** By chain, the escrows whose orders are followed; those of the configuration unless given. */
  escrows?: ReadonlyMap<number, readonly CashContracts[]>
  /** By chain, the contracts that execute intents; those of the configuration unless given. */
  orchestrators?: ReadonlyMap<number, readonly Address[]>
}

interface Parts extends IndexerOptions {
  owner: string
  filter: AddressFilter
  reader: BlockReader
}

function openChainIndex(chain: Chain, parts: Parts): ChainIndex {
  const { config, pool, owner, filter, reader, sharedState, logger, bridges, escrows, orchestrators } = parts
  const {
    chainId,
    rpcUrls,
    startBlock,
    wrappedNative = null,
    coinToken = null,
    sending,
    venues,
    checkLogs,
  } = chain.config
  const { spokePool, multicallHandler = null } = venues.across ?? {}
  const bridge = bridges?.get(chainId) ?? (spokePool ? [{ chainId, spokePool, multicallHandler }] : [])
  const executing = orchestrators?.get(chainId) ?? (sending ? [sending.orchestrator] : [])
  const cash = escrows?.get(chainId) ?? (venues.peer ? [venues.peer] : [])
  const log = logger.child({ chainId, part: 'indexer' })
  return {
    chain,
    chainId,
    startBlock,
    config,
    pool,
    owner,
    log,
    orchestrators: executing,
    nodes: followRing(
      openNodes(
        rpcUrls,
        config.timeoutMs,
        chainId,
        new Map(chain.nodes.nodes.map(({ url, identity }) => [url, identity])),
      ),
      chain.nodes,
    ),
    filter,
    read: (request) =>
      reader.read({
        ...request,
        chainId,
        rpcUrls,
        timeoutMs: config.timeoutMs,
        filter: filter.shared,
        contracts: {
          wrappedNative,
          coinToken,
          orchestrator: sending?.orchestrator ?? null,
          orchestrators: executing,
          bridges: bridge,
          cash: cash.map(({ escrow, orchestrator }) => ({ escrow, orchestrator })),
        },
        checkLogs,
      }),
    publish(change) {
      for (const message of encodeChange({ chainId, ...change }))
        sharedState
          .publish(INDEX_TOPIC, message)
          .catch((error: unknown) => log.warn({ err: error }, 'a change could not be announced'))
    },
    cursor: { number: startBlock - 1n, hash: null },
    term: 0n,
    isOurs: false,
    requested: startBlock - 1n,
    poolContracts: new Set(),
    endpoints: new Map(),
    traces: null,
    untracedTo: null,
    sweptTo: null,
    sweep: null,
    stuck: null,
    concedesUntil: -Infinity,
    heldPast: new Map(),
    withoutTraceFilter: new Set(),
    belowSince: null,
    newcomersFrom: null,
    passTip: null,
    logRange: BigInt(config.logRange),
    mayWait: true,
    stopped: false,
  }
}

/**
 * Builds the indexer of all chains: one filter, one thread that reads blocks, one line of work per chain.
 *
 * @example
 * ```ts
 * const config = indexerConfig.parse({})
 * const indexer = createIndexer({ chains, pool, sharedState, logger, config })
 * const unlisten = indexer.onChanged(({ addresses }) => addresses.forEach((one) => changed.add(one)))
 * await indexer.start()
 * const [progress] = await indexer.progress() // { chainId, indexedBlock, headBlock, behind, … }
 * unlisten()
 * await indexer.stop()
 * ```
 */
export function createIndexer(options: IndexerOptions): Indexer {
  const { chains, pool, sharedState, logger, config, openReader = openBlockReader } = options
  const owner = randomUUID()
  const parts = { ...options, owner, filter: createAddressFilter(), reader: openReader(logger) }
  const indexes = new Map([...chains].map(([chainId, chain]) => [chainId, openChainIndex(chain, parts)]))
  const runs = [...indexes.values()].map((index) => ({ index, run: createChainRun(index) }))
  const listeners = new Set<(change: IndexChange) => void>()
  const leave: (() => unknown)[] = []
  let stopLooking = () => {}

  function hear(message: string): void {
    const change = decodeChange(message)
    if (!change) return
    for (const listener of listeners) {
      try {
        listener(change)
      } catch (error) {
        logger.error({ err: error }, 'a listener of the indexer failed')
      }
    }
  }

  /** Continues with chains that have work which no new block announces. */
  async function lookOnce(): Promise<void> {
    const ours = runs.filter(({ index }) => goesOn(index))
    const quiet = ours.filter(({ run }) => run.isQuiet()).map(({ index }) => index)
    const waiting = await listWaitingTogether(pool, quiet)
    for (const { index, run } of ours) {
      if (!waiting.has(index.chainId) && run.isQuiet()) continue
      index.mayWait = true
      void run.follow()
    }
  }

  const look = coalesceRuns(lookOnce, (error) => {
    logger.debug({ err: error }, 'what waits could not be asked')
    // Each chain meets the problem itself, and reports it.
    for (const { run } of runs) void run.follow()
  })

  const progress = async () => reportProgress([...indexes.values()], await readIndexedChains(pool), owner)

  return {
    async start() {
      leave.push(await sharedState.subscribe(INDEX_TOPIC, hear))
      if (!config.enabled) return
      for (const { index, run } of runs) {
        leave.push(index.chain.onHead(() => void run.follow()))
        leave.push(startClock(config.leaseMs / 3, () => void run.renew()))
        void run.renew()
      }
      stopLooking = startClock(config.lookMs, () => void look())
    },
    progress,
    async isSynced(chainId, slack = 0) {
      const head = indexes.get(chainId)?.chain.head()
      const state = head && (await readSyncState(pool, chainId))
      return Boolean(state?.isSettled) && (head?.number ?? 0n) - (state?.blockNumber ?? 0n) <= BigInt(slack)
    },
    onChanged(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    noticeAddresses() {
      for (const { run } of runs) void run.follow()
    },
    async stop() {
      stopLooking()
      for (const { index } of runs) index.stopped = true
      await parts.reader.close()
      await look()
      await Promise.all(runs.map(({ run }) => run.stop()))
      await Promise.all(leave.map((end) => end()))
      await releaseChains(pool, owner)
    },
  }
}
