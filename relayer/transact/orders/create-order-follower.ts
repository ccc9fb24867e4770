import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import { readFinalHeads } from '../../../db/transact/due-orders.ts'
import type { IndexChange, Indexer } from '../../chain/indexer/indexer.ts'
import { coalesceRuns } from '../../concurrency/coalesce-runs.ts'
import { reasonOf, runContained } from '../../concurrency/run-contained.ts'
import type { OrderBook } from './order-book.ts'
import type { OrderChains } from './review-orders.ts'

/** Depositors whose orders are computed in one transaction. */
const PER_REVIEW = 500
/** A notice may be lost: all open orders are computed anew, at most so often. */
const SWEEP_MS = 15_000
/** After each page of a sweep it rests so many times as long as the page took: sweeps take a hundredth of a core at most. */
const REST_PER_WORK = 100
/** Orders that ended longer ago are left to the notices of reorgs. */
const ENDED_MS = 3_600_000

/** Follows orders on both of their chains. */
export interface OrderFollower {
  start(): void
  /** Has the orders of those depositors reviewed, because of something that no block tells. */
  nudge(depositors: readonly string[]): void
  stop(): Promise<void>
}

/** What the follower is built from. */
export interface OrderFollowerOptions {
  database: DatabasePool
  /** Which orders, and how they are reviewed. */
  book: OrderBook
  indexer: Pick<Indexer, 'onChanged'>
  chains: OrderChains
  /** Called with the quotes whose orders have changed. */
  tell(quoteIds: readonly string[]): void
  logger: Logger
}

/**
 * Creates what keeps the rows of orders as the indexed events say. Blocks without news for an order cost it nothing: those
 * that its state waits for are found by an index. Several instances may do it at once, with the same result.
 */
export function createOrderFollower({
  database,
  book,
  indexer,
  chains,
  tell,
  logger,
}: OrderFollowerOptions): OrderFollower {
  const log = logger.child({ part: book.name })
  const touched = new Set<string>()
  const moved = new Set<number>()
  const stopping = new AbortController()
  let sweeping: Promise<void> = Promise.resolve()
  let unlisten = () => {}
  let mustSweep = false
  let reviews = 0
  /** The last sweep found no orders, and none was reviewed since: what is due is written by reviews alone. */
  let isQuiet = false

  async function review(depositors: readonly string[]): Promise<void> {
    if (depositors.length === 0) return
    reviews += 1
    isQuiet = false
    for (let at = 0; at < depositors.length; at += PER_REVIEW) {
      const changed = await runContained(book.review, depositors.slice(at, at + PER_REVIEW), (error) =>
        log.error(
          { reason: reasonOf(error) },
          'the orders of one depositor cannot be reviewed, and are left out',
        ),
      )
      if (changed.length > 0) tell(changed)
    }
  }

  async function reviewPages(list: (after: string) => Promise<readonly string[]>): Promise<void> {
    let after = ''
    for (;;) {
      const page = await list(after)
      await review(page)
      const last = page.at(-1)
      if (last === undefined || page.length < PER_REVIEW || stopping.signal.aborted) return
      after = last
    }
  }

  async function reviewNews(addresses: readonly string[], chainIds: readonly number[]): Promise<void> {
    if (addresses.length > 0) await review(await book.listAmong(addresses))
    if (isQuiet) return
    const heads = await readFinalHeads(
      database,
      chains.filter(({ chainId }) => chainIds.includes(chainId)),
    )
    for (const head of heads) await reviewPages((after) => book.listDue(head, { after, limit: PER_REVIEW }))
  }

  const listOpen = (after: string) => book.listOpen({ after, limit: PER_REVIEW, endedMs: ENDED_MS })

  const run = coalesceRuns(
    async () => {
      const [addresses, chainIds] = [[...touched], [...moved]]
      touched.clear()
      moved.clear()
      try {
        await reviewNews(addresses, chainIds)
      } catch (error) {
        for (const address of addresses) touched.add(address)
        for (const chainId of chainIds) moved.add(chainId)
        throw error
      }
      if (mustSweep) {
        mustSweep = false
        await reviewPages(listOpen)
      }
    },
    // It is tried again with the next block.
    (error) => log.warn({ err: error }, 'orders could not be followed'),
  )

  function hear({ chainId, addresses, reorg }: IndexChange): void {
    moved.add(chainId)
    for (const address of addresses) touched.add(address)
    // The whole chain is read again.
    if (reorg && addresses.length === 0) mustSweep = true
    void run()
  }

  async function keepSweeping(): Promise<void> {
    let after = ''
    while (!stopping.signal.aborted) {
      const started = performance.now()
      try {
        // A quote may fail without any block.
        await review(await book.listFailed(PER_REVIEW))
        const before = reviews
        const page = await listOpen(after)
        if (after === '' && page.length === 0 && reviews === before) isQuiet = true
        await review(page)
        after = page.length < PER_REVIEW ? '' : (page.at(-1) ?? '')
      } catch (error) {
        log.warn({ err: error }, 'open orders could not be reviewed')
      }
      const rest = (performance.now() - started) * REST_PER_WORK
      const pause = after === '' ? Math.max(SWEEP_MS, rest) : rest
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  return {
    nudge(depositors) {
      for (const depositor of depositors) touched.add(depositor)
      void run()
    },
    start() {
      unlisten = indexer.onChanged(hear)
      sweeping = keepSweeping()
    },
    async stop() {
      stopping.abort()
      unlisten()
      await sweeping
      await run()
    },
  }
}
