import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { Address, Hash } from 'viem'
import {
  readIndexedChains,
  readSyncState,
  releaseChains,
  type IndexedChainRow,
} from '../../../db/chain/indexer/indexed-chains.ts'
import { listWaitingTogether } from '../../../db/chain/indexer/waiting-work.ts'
import type { SharedState } from '../../../db/shared-state/shared-state.ts'
import { coalesceRuns } from '../../concurrency/coalesce-runs.ts'
import { startClock } from '../../concurrency/even-times.ts'
import type { Chain, Chains } from '../nodes/chain.ts'
import { createAddressFilter, type AddressFilter } from './address-filter.ts'
import { openNodes, type Nodes } from './ask-nodes.ts'
import { goesOn, type ChainIndex, isSweepOwed } from './chain-index.ts'
import type { BridgeContracts } from './find-bridge-events.ts'
import type { CashContracts } from './find-cash-events.ts'
import type { IndexerConfig } from './config.ts'
import type { IndexChange, Indexer, IndexProgress } from './indexer.ts'
import { openBlockReader, type BlockReader } from './open-block-reader.ts'
import type { ChainContracts } from './read-block.ts'
import { createChainRun, type ChainRun } from './run-chain.ts'
import { z } from 'zod'
import type { NodeRing } from '../nodes/node-ring.ts'

/** Topic of the shared state on which indexers publish changes. */
const INDEX_TOPIC = 'indexer'
/** Addresses per message; longer lists are split. */
const PER_MESSAGE = 1_000

const message = z.object({
  chainId: z.number(),
  blockNumber: z.string().transform(BigInt),
  blockHash: z
    .string()
    .transform((text) => text as Hash)
    .nullable(),
  addresses: z.array(z.string().transform((text) => text as Address)),
  pools: z.boolean(),
  reorg: z.boolean(),
})

/** Encodes a change as one or more messages. */
function encodeChange(change: IndexChange): string[] {
  const messages: string[] = []
  for (let at = 0; at === 0 || at < change.addresses.length; at += PER_MESSAGE)
    messages.push(
      JSON.stringify({
        ...change,
        blockNumber: String(change.blockNumber),
        addresses: change.addresses.slice(at, at + PER_MESSAGE),
      }),
    )
  return messages
}

/** Decodes a message; null for other text. */
function decodeChange(text: string): IndexChange | null {
  try {
    return message.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** By chain, the contracts that the indexer follows for orders and intents. */
export interface FollowedContracts {
  bridges: ReadonlyMap<number, readonly BridgeContracts[]>
  escrows: ReadonlyMap<number, readonly CashContracts[]>
  /** The contracts that execute intents. */
  orchestrators: ReadonlyMap<number, readonly Address[]>
}

/** Dependencies of the indexer. Followed contracts that are not given are those of the configuration. */
export interface IndexerOptions extends Partial<FollowedContracts> {
  chains: Chains
  pool: DatabasePool
  sharedState: SharedState
  logger: Logger
  config: IndexerConfig
  /**
   * Opens the reader of blocks; by default a thread of this indexer's own. Several indexers of one process may share one.
   */
  openReader?: typeof openBlockReader
}

interface Parts extends IndexerOptions {
  owner: string
  filter: AddressFilter
  reader: BlockReader
}

function openChainIndex(chain: Chain, parts: Parts): ChainIndex {
  const { config, pool, owner, filter, reader, sharedState, logger } = parts
  const { chainId, rpcUrls, startBlock, checkLogs } = chain.config
  const identities = new Map(chain.nodes.nodes.map(({ url, identity }) => [url, identity]))
  const contracts = listContracts(chain, parts)
  const log = logger.child({ chainId, part: 'indexer' })
  return {
    chain,
    chainId,
    startBlock,
    config,
    pool,
    owner,
    log,
    orchestrators: contracts.orchestrators,
    nodes: followRing(openNodes(rpcUrls, config.timeoutMs, chainId, identities), chain.nodes),
    filter,
    read: (request) =>
      reader.read({
        ...request,
        chainId,
        rpcUrls,
        timeoutMs: config.timeoutMs,
        filter: filter.shared,
        contracts,
        checkLogs,
      }),
    publish(change) {
      for (const message of encodeChange({ chainId, ...change }))
        sharedState
          .publish(INDEX_TOPIC, message)
          .catch((error: unknown) => log.warn({ err: error }, 'a change could not be announced'))
    },
    ...createUnread(startBlock, config),
  }
}

function listContracts({ config }: Chain, { bridges, escrows, orchestrators }: Parts): ChainContracts {
  const { chainId, wrappedNative = null, coinToken = null, sending, venues } = config
  const { spokePool, multicallHandler = null } = venues.across ?? {}
  const cash = escrows?.get(chainId) ?? (venues.peer ? [venues.peer] : [])
  return {
    wrappedNative,
    coinToken,
    orchestrator: sending?.orchestrator ?? null,
    orchestrators: orchestrators?.get(chainId) ?? (sending ? [sending.orchestrator] : []),
    bridges: bridges?.get(chainId) ?? (spokePool ? [{ chainId, spokePool, multicallHandler }] : []),
    cash: cash.map(({ escrow, orchestrator }) => ({ escrow, orchestrator })),
  }
}

/** Creates the state of a chain before the first lease. */
const createUnread = (startBlock: bigint, { logRange }: IndexerConfig) => ({
  cursor: { number: startBlock - 1n, hash: null },
  term: 0n,
  isOurs: false,
  requested: startBlock - 1n,
  poolContracts: new Set<string>(),
  endpoints: new Map<Hash, SharedArrayBuffer>(),
  traces: null,
  untracedTo: null,
  sweptTo: null,
  sweep: null,
  stuck: null,
  concedesUntil: -Infinity,
  heldPast: new Map<string, number>(),
  withoutTraceFilter: new Set<string>(),
  belowSince: null,
  newcomersFrom: null,
  passTip: null,
  logRange: BigInt(logRange),
  mayWait: true,
  problem: null,
  stopped: false,
})

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
  return new ChainsIndexer(options)
}

class ChainsIndexer implements Indexer {
  readonly #options: IndexerOptions
  readonly #owner = randomUUID()
  readonly #reader: BlockReader
  readonly #indexes: ReadonlyMap<number, ChainIndex>
  readonly #runs: readonly { index: ChainIndex; run: ChainRun }[]
  readonly #listeners = new Set<(change: IndexChange) => void>()
  readonly #leave: (() => unknown)[] = []
  readonly #look = coalesceRuns(
    () => this.#lookOnce(),
    (error) => {
      this.#options.logger.debug({ err: error }, 'what waits could not be asked')
      // Each chain meets the problem itself, and reports it.
      this.noticeAddresses()
    },
  )
  #stopLooking = () => {}

  constructor(options: IndexerOptions) {
    const { chains, logger, openReader = openBlockReader } = options
    this.#options = options
    const filter = createAddressFilter()
    this.#reader = openReader(logger)
    const parts = { ...options, owner: this.#owner, filter, reader: this.#reader }
    this.#indexes = new Map([...chains].map(([chainId, chain]) => [chainId, openChainIndex(chain, parts)]))
    this.#runs = [...this.#indexes.values()].map((index) => ({ index, run: createChainRun(index) }))
  }

  async start(): Promise<void> {
    const { sharedState, config } = this.#options
    this.#leave.push(await sharedState.subscribe(INDEX_TOPIC, (message) => this.#hear(message)))
    if (!config.enabled) return
    for (const { index, run } of this.#runs) {
      this.#leave.push(index.chain.onHead(() => void run.follow()))
      this.#leave.push(startClock(config.leaseMs / 3, () => void run.renew()))
      void run.renew()
    }
    this.#stopLooking = startClock(config.lookMs, () => void this.#look())
  }

  async progress(): Promise<readonly IndexProgress[]> {
    const rows = await readIndexedChains(this.#options.pool)
    return reportProgress([...this.#indexes.values()], rows, this.#owner)
  }

  problems(): ReadonlyMap<number, string> {
    return new Map(
      [...this.#indexes].flatMap(([chainId, { problem }]) => (problem ? [[chainId, problem]] : [])),
    )
  }

  async isSynced(chainId: number, slack = 0): Promise<boolean> {
    const head = this.#indexes.get(chainId)?.chain.head()
    const state = head && (await readSyncState(this.#options.pool, chainId))
    return Boolean(state?.isSettled) && (head?.number ?? 0n) - (state?.blockNumber ?? 0n) <= BigInt(slack)
  }

  onChanged(listener: (change: IndexChange) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  noticeAddresses(): void {
    for (const { run } of this.#runs) void run.follow()
  }

  async stop(): Promise<void> {
    this.#stopLooking()
    for (const { index } of this.#runs) index.stopped = true
    await this.#reader.close()
    await this.#look()
    await Promise.all(this.#runs.map(({ run }) => run.stop()))
    await Promise.all(this.#leave.map((end) => end()))
    await releaseChains(this.#options.pool, this.#owner)
  }

  #hear(message: string): void {
    const change = decodeChange(message)
    if (!change) return
    for (const listener of this.#listeners) {
      try {
        listener(change)
      } catch (error) {
        this.#options.logger.error({ err: error }, 'a listener of the indexer failed')
      }
    }
  }

  /** Continues with chains that have work which no new block announces. */
  async #lookOnce(): Promise<void> {
    const ours = this.#runs.filter(({ index }) => goesOn(index))
    const quiet = ours.filter(({ run }) => run.isQuiet()).map(({ index }) => index)
    const waiting = await listWaitingTogether(this.#options.pool, quiet)
    for (const { index, run } of ours) {
      if (!waiting.has(index.chainId) && run.isQuiet()) continue
      index.mayWait = true
      void run.follow()
    }
  }
}

/** For this long a node that alone was right is asked first. */
const KEPT_MS = 600_000

/**
 * Asks the node first that the whole chain asks first, so that other nodes learn no addresses. A node that was right where
 * that one was wrong is asked first for ten minutes, or until the chain's work moves.
 */
export function followRing(nodes: Nodes, ring: NodeRing): Nodes {
  const { urls } = nodes
  const first = () => Math.max(0, urls.indexOf(ring.inOrder()[0]?.url ?? ''))
  let kept = { first: first(), preferred: first(), until: 0 }
  return {
    ...nodes,
    get preferred() {
      return kept.first === first() && kept.until > Date.now() ? kept.preferred : first()
    },
    set preferred(index) {
      if (index !== this.preferred) kept = { first: first(), preferred: index, until: Date.now() + KEPT_MS }
    },
    noteSilence(url) {
      const node = ring.nodes.find((one) => one.url === url)
      if (node) ring.noteSilence(node)
    },
  }
}

/** Combines the progress of the configured chains from the database's state and the heads that this instance sees. */
function reportProgress(
  indexes: readonly ChainIndex[],
  rows: readonly IndexedChainRow[],
  owner: string,
): IndexProgress[] {
  return indexes.map(({ chainId, chain, traces }) => {
    const row = rows.find((candidate) => candidate.chainId === chainId)
    const indexedBlock = row?.blockHash ? row.blockNumber : null
    const headBlock = chain.head()?.number ?? null
    // Another instance may have seen a newer head.
    const behind =
      indexedBlock === null || headBlock === null ? null : Math.max(0, Number(headBlock - indexedBlock))
    return {
      chainId,
      indexedBlock,
      indexedHash: row?.blockHash ?? null,
      headBlock,
      behind,
      state: row?.state ?? 'waiting',
      problem: row?.problem ?? null,
      watchedAddresses: row?.watched ?? 0,
      backfilling: row?.backfilling ?? 0,
      staleHoldings: row?.stale ?? 0,
      problemHoldings: row?.problemHoldings ?? 0,
      rowsSetAside: row?.rowsSetAside ?? 0,
      blocksLeftOut: row?.blocksLeftOut ?? 0,
      blocksGivenUp: row?.blocksGivenUp ?? 0,
      isComparing: row ? isSweepOwed(row) : false,
      reorgs: row?.reorgs ?? 0,
      deepestReorg: row?.deepestReorg ?? 0,
      resyncs: row?.resyncs ?? 0,
      isWorker: row?.leaseOwner === owner,
      traces,
    }
  })
}
