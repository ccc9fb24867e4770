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
/** Shortest time between sweeps: a notice may be lost, so all open orders are recomputed. */
const SWEEP_MS = 15_000
/** Pause after each page of a sweep, as a multiple of the page's duration: sweeps use at most a hundredth of a core. */
const REST_PER_WORK = 100
/** Orders that ended earlier are left to the notices of reorgs. */
const ENDED_MS = 3_600_000

/** Follows orders on both of their chains. */
export interface OrderFollower {
  start(): void
  /** Requests a review of these depositors' orders, after an event that no block shows. */
  nudge(depositors: readonly string[]): void
  stop(): Promise<void>
}

/** Parts of the follower. */
export interface OrderFollowerOptions {
  database: DatabasePool
  /** The orders to follow, and their review. */
  book: OrderBook
  indexer: Pick<Indexer, 'onChanged'>
  chains: OrderChains
  /** Called with the quotes whose orders have changed. */
  tell(quoteIds: readonly string[]): void
  logger: Logger
}

/**
 * Creates the follower, which keeps the rows of orders in line with the indexed events. A block without events for an
 * order costs nothing: an index finds the orders that wait for that block. Several instances may run at once, with the
 * same result.
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
  /** The last sweep found no orders, and none was reviewed since; only reviews can make an order due. */
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
    // The next block triggers another try.
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
