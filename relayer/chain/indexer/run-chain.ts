import { setTimeout as sleep } from 'node:timers/promises'
import {
  ChainLostError,
  leaseChain,
  setChainState,
  type ChainLease,
  lockChain,
} from '../../../db/chain/indexer/indexed-chains.ts'
import { listWaiting } from '../../../db/chain/indexer/waiting-work.ts'
import { coalesceRuns } from '../../concurrency/coalesce-runs.ts'
import { advanceChain } from './advance-chain.ts'
import { goesOn, type ChainIndex } from './chain-index.ts'
import { backfillHistory, backfillNearPast } from './backfill.ts'
import { backfillTogether } from './backfill-together.ts'
import { createSweep, createTokenSweep, settleHoldings } from './settle-holdings.ts'
import { takeOverChain } from './take-over-chain.ts'
import { watchNewcomers } from './watch-newcomers.ts'
import { RpcRefusal, TransportError } from '../../../proving/rpc/json-rpc.ts'
import { OtherChainError } from '../nodes/node-identity.ts'
import { WrongAnswerError } from './ask-nodes.ts'
import { BlockUnreadError } from './open-block-reader.ts'
import { NodesDisagreeError } from './resolve-fork.ts'
import { endLeftOut, findLeftOut, postponeLeftOut } from '../../../db/chain/indexer/left-out-blocks.ts'
import { confirmWatched } from '../../../db/chain/indexer/watched-addresses.ts'
import { buildRows, listCandidates } from './build-rows.ts'
import { poolsOf } from './commit-blocks.ts'
import { writeChain } from './write-chain.ts'

const PROGRESS_EVERY_MS = 10_000
/** A reorg or a lagging node makes one round fail, not three. */
const FAILURES_THAT_PASS = 3

type Line = 'follow' | 'past'

/** The work on one chain: following its head, and reading the past of late addresses. */
export interface ChainRun {
  /** Follows the chain up to its present head. */
  follow(): Promise<void>
  /** True if it is at the head without a problem, so that only the work of `listWaiting` remains. */
  isQuiet(): boolean
  /** Claims or renews the lease. */
  renew(): Promise<void>
  stop(): Promise<void>
}

/** Builds the work on a chain; nothing happens before it has the lease. */
export function createChainRun(index: ChainIndex): ChainRun {
  return new ChainWork(index)
}

class ChainWork implements ChainRun {
  readonly follow: () => Promise<void>
  readonly #lookBack: () => Promise<void>
  readonly #index: ChainIndex
  readonly #sweep: () => Promise<void>
  readonly #sweepTokens: () => Promise<void>
  readonly #failures = { follow: 0, past: 0 }
  readonly #problems: Record<Line, string | null> = { follow: null, past: null }
  #lastNotice = 0
  #lastTold = { at: Date.now(), block: 0n }
  #takingOver: Promise<void> | null = null

  constructor(index: ChainIndex) {
    this.#index = index
    this.#sweep = createSweep(index)
    this.#sweepTokens = createTokenSweep(index)
    this.follow = coalesceRuns(
      () => this.#followOnce(),
      (error) => this.#onError('follow', error),
    )
    this.#lookBack = coalesceRuns(
      () => this.#lookBackOnce(),
      (error) => this.#onError('past', error),
    )
  }

  isQuiet(): boolean {
    return this.#isWell() && this.#index.chain.head()?.hash === this.#index.cursor.hash
  }

  async renew(): Promise<void> {
    const index = this.#index
    try {
      const held = await this.#lease()
      if (index.stopped) return
      if (held?.term !== index.term) index.isOurs = false
      if (held === null || index.isOurs) return
      // It may take longer than the lease, which continues to be renewed.
      this.#takingOver ??= this.#takeOver().finally(() => (this.#takingOver = null))
      await this.#takingOver
      void this.follow()
    } catch (error) {
      index.log.warn({ err: error }, 'the lease of the chain could not be taken')
    }
  }

  async stop(): Promise<void> {
    this.#index.stopped = true
    await Promise.all([this.follow(), this.#lookBack(), this.#takingOver?.catch(() => undefined)])
  }

  async #followOnce(): Promise<void> {
    const index = this.#index
    if (!goesOn(index)) return
    let isWaiting = true
    do {
      await watchNewcomers(index)
      await advanceChain(index, () => this.#pause())
      isWaiting = goesOn(index) && (await this.#hasWaiting())
      // Does not wait for the balances of many addresses, which take minutes.
      if (isWaiting) void this.#lookBack()
    } while (isWaiting && goesOn(index) && (await settleHoldings(index)))
    if (goesOn(index)) await this.#sweep()
    if (goesOn(index)) await this.#sweepTokens()
    if (!isWaiting && this.#isWell()) return
    await this.#setProblem('follow', null)
    void this.#lookBack()
  }

  async #lookBackOnce(): Promise<void> {
    const index = this.#index
    // New addresses wait neither for the long history of an older one, nor for that of many others.
    while (
      goesOn(index) &&
      ((await backfillNearPast(index)) ||
        (await backfillHistory(index)) ||
        (await backfillTogether(index)) ||
        (await repairLeftOut(index)))
    );
    if (this.#failures.past > 0) await this.#setProblem('past', null)
  }

  /** Between two batches, so that others need not wait for the end of a long backfill. */
  async #pause(): Promise<void> {
    const { chain, config, log } = this.#index
    const now = Date.now()
    if (now - this.#lastNotice >= config.lookMs) {
      this.#lastNotice = now
      await watchNewcomers(this.#index)
    }
    if (now - this.#lastTold.at < PROGRESS_EVERY_MS) return
    const { number } = this.#index.cursor
    const { at, block } = this.#lastTold
    const seconds = (now - at) / 1_000
    const head = chain.head()?.number ?? number
    if (number > block && head - number > BigInt(config.parallelBlocks))
      log.info(
        { block: number, behind: head - number, perSecond: Number(number - block) / seconds },
        'indexing',
      )
    this.#lastTold = { at: now, block: number }
  }

  /** True if work other than new blocks is pending; not checked again after blocks without own facts. */
  async #hasWaiting(): Promise<boolean> {
    const index = this.#index
    if (!index.mayWait && this.#isWell()) return false
    index.mayWait = false
    const waits = (await listWaiting(index.pool, [index])).has(index.chainId)
    // More may have arrived meanwhile.
    index.mayWait ||= waits
    return waits
  }

  #isWell(): boolean {
    return this.#failures.follow === 0 && this.#failures.past === 0
  }

  async #onError(line: Line, error: unknown): Promise<void> {
    const index = this.#index
    const { log, config } = index
    if (error instanceof ChainLostError) {
      index.isOurs = false
      log.info({ err: error }, 'another instance indexes the chain, or did meanwhile')
      return
    }
    index.mayWait = true
    log.debug({ err: error }, 'indexing stopped for now')
    try {
      await this.#setProblem(line, describeProblem(error))
    } catch (cause) {
      log.warn({ err: cause }, 'the state of the chain could not be written')
    }
    await sleep(config.lookMs)
  }

  /** Reports a problem that keeps the work from continuing, once it persists; null clears it. */
  async #setProblem(line: Line, text: string | null): Promise<void> {
    const { pool, chainId, owner, chain, cursor } = this.#index
    const problems = this.#problems
    this.#failures[line] = text === null ? 0 : this.#failures[line] + 1
    if (text !== null && this.#failures[line] < FAILURES_THAT_PASS) return
    problems[line] = text
    const problem = problems.follow ?? problems.past
    this.#index.problem = problem
    const head = chain.head()
    const live = problems.follow === null && head !== null && cursor.number >= head.number
    if (goesOn(this.#index)) await setChainState(pool, chainId, owner, { live, problem })
  }

  #lease(): Promise<ChainLease | null> {
    const { pool, chainId, startBlock, owner, config } = this.#index
    return leaseChain(pool, { chainId, startBlock, owner, leaseMs: config.leaseMs })
  }

  /** Loads the state that the previous instance left. */
  async #takeOver(): Promise<void> {
    const index = this.#index
    // Work of an earlier lease ends first, because it relies on the state of that lease.
    await Promise.all([this.follow(), this.#lookBack()])
    const lease = await this.#lease()
    if (lease === null || index.stopped) return
    await takeOverChain(index, lease)
    this.#lastTold = { at: Date.now(), block: index.cursor.number }
    index.isOurs = true
    index.log.info(
      { block: index.cursor.number, watched: index.filter.size },
      'this instance indexes the chain',
    )
  }
}

const MAX_LENGTH = 200

/** Describes why a chain is not indexed, in words that may be shown: without URLs, since those hold keys. */
function describeProblem(error: unknown): string {
  const ours =
    error instanceof WrongAnswerError ||
    error instanceof OtherChainError ||
    error instanceof BlockUnreadError ||
    error instanceof NodesDisagreeError ||
    error instanceof TransportError
  if (ours) return withoutUrls(error.message)
  if (error instanceof RpcRefusal) return withoutUrls(`the node refused: ${error.message}`)
  return 'an unexpected error, see the log'
}

const withoutUrls = (text: string): string => text.replaceAll(/\w+:\/\/\S+/g, '…').slice(0, MAX_LENGTH)

/**
 * Reads a block again that was indexed without some of its parts. Once a node shows them, their facts are written like those
 * of a late address; existing rows stay.
 * @returns True if a block was due.
 */
async function repairLeftOut(index: ChainIndex): Promise<boolean> {
  const { pool, chainId, log } = index
  const due = await findLeftOut(pool, chainId)
  if (!due) return false
  const block = await index.read({ block: due.hash }).catch(() => null)
  if (!block || (due.parts.includes('traces') && block.traces === 'none')) {
    await postponeLeftOut(pool, chainId, due)
    return true
  }
  const watched = await confirmWatched(pool, chainId, listCandidates([block]))
  const { facts, touched } = buildRows(chainId, block, watched, poolsOf(index))
  const isRepaired = await writeChain(index, async (transaction, writer) => {
    await lockChain(transaction, index)
    if (!(await endLeftOut(transaction, chainId, due))) return false
    await writer.facts(facts)
    await writer.stale(touched)
    return true
  })
  if (!isRepaired) return true
  index.mayWait = true
  log.info({ block: due.number }, 'a node shows a block whole that was left out in part')
  index.publish({
    blockNumber: index.cursor.number,
    blockHash: index.cursor.hash,
    addresses: [...new Set(touched.map(({ address }) => address))],
    pools: facts.poolEvents.length > 0,
    reorg: false,
  })
  return true
}
