import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import {
  readFinalHeads,
  listDepositorsAmong,
  listDueDepositors,
  listFailedDepositors,
  listOpenDepositors,
  type FinalHeadRow,
} from '../../../db/transact/bridge-orders.ts'
import type { IndexChange, Indexer } from '../../chain/indexer/indexer.ts'
import { coalesceRuns } from '../../concurrency/coalesce-runs.ts'
import { reasonOf, runContained } from '../../concurrency/run-contained.ts'
import { type OrderChains, reviewOrders } from './review-orders.ts'

/** Depositors whose orders are computed in one transaction. */
const PER_REVIEW = 500
/** Shortest time between sweeps: a notice may be lost, so all open orders are recomputed. */
const SWEEP_MS = 15_000
/** Pause after each page of a sweep, as a multiple of the page's duration: sweeps use at most a hundredth of a core. */
const REST_PER_WORK = 100
/** Orders that ended earlier are left to the notices of reorgs. */
const ENDED_MS = 3_600_000

interface FollowedOrders {
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
 * Keeps the rows of orders in line with the indexed events of both of their chains. A block without events for an order
 * costs nothing: an index finds the orders that wait for that block. Several instances may run at once, with the same
 * result.
 */
export class OrderFollower {
  readonly #options: FollowedOrders
  readonly #log: Logger
  readonly #touched = new Set<string>()
  readonly #moved = new Set<number>()
  readonly #stopping = new AbortController()
  #sweeping: Promise<void> = Promise.resolve()
  #unlisten = () => {}
  #mustSweep = false
  #reviews = 0
  /** The last sweep found no orders, and none was reviewed since; only reviews can make an order due. */
  #isQuiet = false

  readonly #run = coalesceRuns(
    () => this.#work(),
    // The next block triggers another try.
    (error) => this.#log.warn({ err: error }, 'orders could not be followed'),
  )

  /**
   * Requests a review of these depositors' orders, after an event that no block shows. A property, because callers pass it
   * as a callback.
   */
  readonly nudge = (depositors: readonly string[]): void => {
    for (const depositor of depositors) this.#touched.add(depositor)
    void this.#run()
  }

  constructor(options: FollowedOrders) {
    this.#options = options
    this.#log = options.logger.child({ part: options.book.name })
  }

  start(): void {
    this.#unlisten = this.#options.indexer.onChanged((change) => this.#hear(change))
    this.#sweeping = this.#keepSweeping()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#unlisten()
    await this.#sweeping
    await this.#run()
  }

  #hear({ chainId, addresses, reorg }: IndexChange): void {
    this.#moved.add(chainId)
    for (const address of addresses) this.#touched.add(address)
    // The whole chain is read again.
    if (reorg && addresses.length === 0) this.#mustSweep = true
    void this.#run()
  }

  async #work(): Promise<void> {
    const [addresses, chainIds] = [[...this.#touched], [...this.#moved]]
    this.#touched.clear()
    this.#moved.clear()
    try {
      await this.#reviewNews(addresses, chainIds)
    } catch (error) {
      for (const address of addresses) this.#touched.add(address)
      for (const chainId of chainIds) this.#moved.add(chainId)
      throw error
    }
    if (this.#mustSweep) {
      this.#mustSweep = false
      await this.#reviewPages((after) => this.#listOpen(after))
    }
  }

  async #reviewNews(addresses: readonly string[], chainIds: readonly number[]): Promise<void> {
    const { database, book, chains } = this.#options
    if (addresses.length > 0) await this.#review(await book.listAmong(addresses))
    if (this.#isQuiet) return
    const heads = await readFinalHeads(
      database,
      chains.filter(({ chainId }) => chainIds.includes(chainId)),
    )
    for (const head of heads)
      await this.#reviewPages((after) => book.listDue(head, { after, limit: PER_REVIEW }))
  }

  async #reviewPages(list: (after: string) => Promise<readonly string[]>): Promise<void> {
    let after = ''
    for (;;) {
      const page = await list(after)
      await this.#review(page)
      const last = page.at(-1)
      if (last === undefined || page.length < PER_REVIEW || this.#stopping.signal.aborted) return
      after = last
    }
  }

  async #review(depositors: readonly string[]): Promise<void> {
    const { book, tell } = this.#options
    if (depositors.length === 0) return
    this.#reviews += 1
    this.#isQuiet = false
    for (let at = 0; at < depositors.length; at += PER_REVIEW) {
      const changed = await runContained(book.review, depositors.slice(at, at + PER_REVIEW), (error) =>
        this.#log.error(
          { reason: reasonOf(error) },
          'the orders of one depositor cannot be reviewed, and are left out',
        ),
      )
      if (changed.length > 0) tell(changed)
    }
  }

  #listOpen(after: string): Promise<readonly string[]> {
    return this.#options.book.listOpen({ after, limit: PER_REVIEW, endedMs: ENDED_MS })
  }

  async #keepSweeping(): Promise<void> {
    const { signal } = this.#stopping
    let after = ''
    while (!signal.aborted) {
      const started = performance.now()
      try {
        // A quote may fail without any block.
        await this.#review(await this.#options.book.listFailed(PER_REVIEW))
        const before = this.#reviews
        const page = await this.#listOpen(after)
        if (after === '' && page.length === 0 && this.#reviews === before) this.#isQuiet = true
        await this.#review(page)
        after = page.length < PER_REVIEW ? '' : (page.at(-1) ?? '')
      } catch (error) {
        this.#log.warn({ err: error }, 'open orders could not be reviewed')
      }
      const rest = (performance.now() - started) * REST_PER_WORK
      const pause = after === '' ? Math.max(SWEEP_MS, rest) : rest
      await sleep(pause, undefined, { signal }).catch(() => undefined)
    }
  }
}

/**
 * Orders of one sort: queries for their depositors, and their review. Depositors are listed in the order of addresses.
 */
export interface OrderBook {
  /** Name in logs. */
  name: string
  /** Lists the depositors of orders that involve these addresses. */
  listAmong(addresses: readonly string[]): Promise<readonly string[]>
  /** Lists depositors whose orders a final block may have changed without an event. */
  listDue(head: FinalHeadRow, page: { after: string; limit: number }): Promise<readonly string[]>
  /** Lists depositors whose quotes failed without a deposit. */
  listFailed(limit: number): Promise<readonly string[]>
  /** Lists depositors whose orders are open, or ended less than `endedMs` ago. */
  listOpen(page: { after: string; limit: number; endedMs: number }): Promise<readonly string[]>
  /** Recomputes the orders of these depositors. @returns The quotes whose orders have changed. */
  review(depositors: readonly string[]): Promise<readonly string[]>
}

/** Creates the book of orders over a bridge. */
export const createBridgeBook = (database: DatabasePool, chains: OrderChains): OrderBook => ({
  name: 'orders',
  listAmong: (addresses) => listDepositorsAmong(database, addresses),
  listDue: (head, page) => listDueDepositors(database, head, page),
  listFailed: (limit) => listFailedDepositors(database, limit),
  listOpen: (page) => listOpenDepositors(database, page),
  review: (depositors) => reviewOrders(database, chains, depositors),
})
