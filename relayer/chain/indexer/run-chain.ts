import { setTimeout as sleep } from 'node:timers/promises'
import {
  ChainLostError,
  leaseChain,
  setChainState,
  setWithPools,
  type ChainLease,
} from '../../../db/chain/indexer/indexed-chains.ts'
import { resetChain } from '../../../db/chain/indexer/pop-blocks.ts'
import { listWaiting } from '../../../db/chain/indexer/waiting-work.ts'
import { readPoolContracts } from '../../../db/chain/indexer/read-pool-events.ts'
import { forgetToken } from '../../../db/chain/indexer/holdings.ts'
import { coalesceRuns } from '../../concurrency/coalesce-runs.ts'
import { isSilence } from '../is-silence.ts'
import { NATIVE_ASSET } from '../nodes/config.ts'
import { entrypointAbi } from '../contracts/privacy-pools.ts'
import { advanceChain } from './advance-chain.ts'
import { goesOn, type ChainIndex } from './chain-index.ts'
import { describeProblem } from './describe-problem.ts'
import { backfillHistory, backfillNearPast } from './backfill.ts'
import { backfillTogether } from './backfill-together.ts'
import { onChain } from './commit-blocks.ts'
import { repairLeftOut } from './repair-left-out.ts'
import { createSweep, createTokenSweep, settleHoldings } from './settle-holdings.ts'
import { loadWatched, watchNewcomers } from './watch-newcomers.ts'

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
  const { pool, chainId, owner, config, log } = index
  const sweep = createSweep(index)
  const sweepTokens = createTokenSweep(index)
  let lastNotice = 0
  let lastTold = { at: Date.now(), block: 0n }
  const failures = { follow: 0, past: 0 }
  let takingOver: Promise<void> | null = null
  const problems: Record<Line, string | null> = { follow: null, past: null }

  /** Reports a problem that keeps the work from continuing, once it persists; null clears it. */
  async function setProblem(line: Line, text: string | null): Promise<void> {
    failures[line] = text === null ? 0 : failures[line] + 1
    if (text !== null && failures[line] < FAILURES_THAT_PASS) return
    if (problems[line] === null && text !== null) log.warn({ problem: text }, 'indexing does not go on')
    if (problems[line] !== null && text === null) log.info('indexing goes on')
    problems[line] = text
    const problem = problems.follow ?? problems.past
    const head = index.chain.head()
    const live = problems.follow === null && head !== null && index.cursor.number >= head.number
    if (goesOn(index)) await setChainState(pool, chainId, owner, { live, problem })
  }

  const isWell = () => failures.follow === 0 && failures.past === 0

  /** Between two batches, so that others need not wait for the end of a long backfill. */
  async function pause(): Promise<void> {
    const now = Date.now()
    if (now - lastNotice >= config.lookMs) {
      lastNotice = now
      await watchNewcomers(index)
    }
    if (now - lastTold.at < PROGRESS_EVERY_MS) return
    const { number } = index.cursor
    const seconds = (now - lastTold.at) / 1_000
    const head = index.chain.head()?.number ?? number
    if (number > lastTold.block && head - number > BigInt(config.parallelBlocks))
      log.info(
        { block: number, behind: head - number, perSecond: Number(number - lastTold.block) / seconds },
        'indexing',
      )
    lastTold = { at: now, block: number }
  }

  /** True if work other than new blocks is pending; not checked again after blocks without own facts. */
  async function hasWaiting(): Promise<boolean> {
    if (!index.mayWait && isWell()) return false
    index.mayWait = false
    const waits = (await listWaiting(pool, [index])).has(chainId)
    // More may have arrived meanwhile.
    index.mayWait ||= waits
    return waits
  }

  async function followOnce(): Promise<void> {
    if (!goesOn(index)) return
    let isWaiting = true
    do {
      await watchNewcomers(index)
      await advanceChain(index, pause)
      isWaiting = goesOn(index) && (await hasWaiting())
      // Does not wait for the balances of many addresses, which take minutes.
      if (isWaiting) void lookBack()
    } while (isWaiting && goesOn(index) && (await settleHoldings(index)))
    if (goesOn(index)) await sweep()
    if (goesOn(index)) await sweepTokens()
    if (!isWaiting && isWell()) return
    await setProblem('follow', null)
    void lookBack()
  }

  async function lookBackOnce(): Promise<void> {
    // New addresses wait neither for the long history of an older one, nor for that of many others.
    while (
      goesOn(index) &&
      ((await backfillNearPast(index)) ||
        (await backfillHistory(index)) ||
        (await backfillTogether(index)) ||
        (await repairLeftOut(index)))
    );
    if (failures.past > 0) await setProblem('past', null)
  }

  async function onError(line: Line, error: unknown): Promise<void> {
    if (error instanceof ChainLostError) {
      index.isOurs = false
      log.info({ err: error }, 'another instance indexes the chain, or did meanwhile')
      return
    }
    index.mayWait = true
    log.debug({ err: error }, 'indexing stopped for now')
    try {
      await setProblem(line, describeProblem(error))
    } catch (cause) {
      log.warn({ err: cause }, 'the state of the chain could not be written')
    }
    await sleep(config.lookMs)
  }

  const follow = coalesceRuns(followOnce, (error) => onError('follow', error))
  const lookBack = coalesceRuns(lookBackOnce, (error) => onError('past', error))

  /** Finds the pools that existed before the first indexed block. */
  async function findConfiguredPools(): Promise<string[]> {
    const { client, config: chain } = index.chain
    const { relayer } = chain
    if (!relayer) return []
    const found = await Promise.all(
      relayer.assets.map(({ asset }) =>
        client
          .readContract({
            address: relayer.entrypoint,
            abi: entrypointAbi,
            functionName: 'assetConfig',
            args: [asset ?? NATIVE_ASSET],
          })
          .catch((error: unknown) => {
            if (isSilence(error)) throw error
            log.warn({ err: error, asset }, 'the Entrypoint tells no pool of an asset')
            return null
          }),
      ),
    )
    return found.flatMap((config) => config?.[0] ?? [])
  }

  const lease = () =>
    leaseChain(pool, { chainId, startBlock: index.startBlock, owner, leaseMs: config.leaseMs })

  /** Loads the state that the previous instance left. */
  async function takeOver(): Promise<void> {
    // Work of an earlier lease ends first, because it relies on the state of that lease.
    await Promise.all([follow(), lookBack()])
    const cursor = await lease()
    if (cursor === null || index.stopped) return
    index.term = cursor.term
    const pools = [...(await readPoolContracts(pool, chainId)), ...(await findConfiguredPools())]
    index.poolContracts.clear()
    for (const address of pools) index.poolContracts.add(address)
    index.cursor = { number: cursor.blockNumber, hash: cursor.blockHash }
    index.untracedTo = cursor.untracedTo
    index.sweptTo = cursor.sweptTo
    index.sweep = null
    index.stuck = null
    index.requested = cursor.blockNumber
    index.newcomersFrom = null
    index.mayWait = true
    index.passTip = null
    index.endpoints.clear()
    await loadWatched(index)
    await adoptSettings(cursor)
    const { coinToken } = index.chain.config
    if (coinToken) await onChain(index, (transaction) => forgetToken(transaction, chainId, coinToken))
    lastTold = { at: Date.now(), block: index.cursor.number }
    index.isOurs = true
    log.info({ block: index.cursor.number, watched: index.filter.size }, 'this instance indexes the chain')
  }

  /** Reads everything again where the configuration requires more than was read. */
  async function adoptSettings({ startBlock, withPools }: ChainLease): Promise<void> {
    const wantsPools = index.chain.config.relayer !== undefined
    const isMoved = startBlock !== index.startBlock
    const lacksPools = wantsPools && !withPools
    if (!isMoved && wantsPools === withPools) return
    await onChain(index, async (transaction) => {
      if (isMoved || lacksPools) await resetChain(transaction, chainId, index.startBlock, null)
      await setWithPools(transaction, chainId, wantsPools)
    })
    if (!isMoved && !lacksPools) return
    index.cursor = { number: index.startBlock - 1n, hash: null }
    index.untracedTo = null
    index.sweptTo = null
    const why = isMoved ? 'the start block is another' : 'the chain has a relayer now'
    log.info({ startBlock: index.startBlock }, `${why}: everything is read again`)
  }

  return {
    follow,
    isQuiet: () => isWell() && index.chain.head()?.hash === index.cursor.hash,
    async renew() {
      try {
        const held = await lease()
        if (index.stopped) return
        if (held?.term !== index.term) index.isOurs = false
        if (held === null || index.isOurs) return
        // It may take longer than the lease, which continues to be renewed.
        takingOver ??= takeOver().finally(() => (takingOver = null))
        await takingOver
        void follow()
      } catch (error) {
        log.warn({ err: error }, 'the lease of the chain could not be taken')
      }
    },
    async stop() {
      index.stopped = true
      await Promise.all([follow(), lookBack(), takingOver?.catch(() => undefined)])
    },
  }
}
