import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import {
  listUndecidedDeposits,
  type AspReviewStatus,
  holdOwnersOfLabels,
  recordReviews,
} from '../../../db/account/balances/pool-deposits.ts'
import type { RelayingChain } from '../../chain/nodes/chain.ts'
import { untilEvenTime } from '../../concurrency/even-times.ts'
import type { Pool, PoolState } from './pool-state.ts'
import { z } from 'zod'
import { getText } from '../../../proving/rpc/post-json.ts'

/** Maximum of pages per poll: deposits older than 50,000 others of their pool keep their status. */
const MAX_PAGES = 50

/** The running rounds; `stop` waits for the pending one. */
export interface FollowedReviews {
  stop(): Promise<void>
}

/**
 * Stores the association set provider's reviews of deposits from watched addresses. It always reads the newest page.
 * While undecided deposits are not on it, it reads further pages until all were seen. Usually one of several
 * instances does so.
 */
export function followReviews(
  chain: RelayingChain,
  pools: PoolState,
  database: DatabasePool,
  logger: Logger,
): FollowedReviews {
  const { chainId, relayer } = chain.config
  const { asp } = relayer
  const log = logger.child({ chainId })
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  const ending = new AbortController()
  let isFailing = false
  const isLeftToAnother = leaveRounds(chain)

  async function lookAtAll(aspUrl: string): Promise<void> {
    if (isLeftToAnother()) return schedule(aspUrl)
    let failure: unknown
    const undecided = await listUndecidedDeposits(database, chainId).catch((error: unknown) => {
      failure = error
      return []
    })
    const labelsOf = Map.groupBy(undecided, (one) => one.pool)
    for (const pool of pools.pools())
      await readPages(
        database,
        aspUrl,
        pool,
        new Set(labelsOf.get(pool.address)?.map(({ label }) => label)),
        ending.signal,
      ).catch((error: unknown) => {
        // A pool that the provider does not know must not block the others.
        failure ??= error
      })
    const wasFailing = isFailing
    isFailing = failure !== undefined
    if (wasFailing && !isFailing) log.info('the ASP answers again')
    if (isFailing && !wasFailing)
      log.warn({ err: failure }, 'reviews of deposits cannot be read; they are asked for again')
    if (!ending.signal.aborted) schedule(aspUrl)
  }

  function schedule(aspUrl: string): void {
    timer = setTimeout(
      () => {
        looking = lookAtAll(aspUrl)
      },
      untilEvenTime(asp?.pollIntervalMs ?? 0),
    )
  }

  if (asp?.url) schedule(asp.url)
  return {
    async stop() {
      ending.abort()
      clearTimeout(timer)
      await looking
    },
  }
}

/** Reads the newest page of a pool, and further ones while undecided deposits are not on them. Removes those from `undecided`. */
async function readPages(
  database: DatabasePool,
  aspUrl: string,
  pool: Pool,
  undecided: Set<bigint>,
  signal: AbortSignal,
): Promise<void> {
  const isOver = (number: number) => number > MAX_PAGES || signal.aborted
  // The first page is read even without awaited reviews, so that the time of a request reveals nothing.
  for (let number = 1; (number === 1 || undecided.size > 0) && !isOver(number); number += 1) {
    const { reviews, isLast } = await readReviews(aspUrl, pool, number)
    const ours = reviews.filter(({ label }) => undecided.delete(label))
    if (ours.length > 0) await recordOwnReviews(database, pool, ours)
    if (isLast) return
  }
}

const PATIENCE_MS = 10_000
const MAX_BYTES = 8 * 1_024 * 1_024
/** Maximum page size of existing providers. */
const PAGE_SIZE = 1_000

/** A request for a proof of innocence counts as undecided. */
const STATUSES: Readonly<Record<string, AspReviewStatus>> = { approved: 'approved', declined: 'declined' }

const decimal = z.string().regex(/^\d{1,78}$/)
const page = z.object({
  events: z
    .array(z.object({ type: z.string(), label: decimal.optional(), reviewStatus: z.string().optional() }))
    .max(PAGE_SIZE),
  total: z.int().nonnegative(),
})

/** A page of reviews, newest first. */
interface AspReviewPage {
  reviews: { label: bigint; status: AspReviewStatus }[]
  isLast: boolean
}

/**
 * Reads a page of a pool's reviews from the association set provider, newest first. It requests pages, never labels,
 * which would reveal which deposits belong together.
 *
 * @throws Error if the provider does not answer or breaks the protocol.
 */
async function readReviews(
  aspUrl: string,
  pool: { chainId: number; scope: bigint },
  pageNumber: number,
): Promise<AspReviewPage> {
  const url = `${aspUrl.replace(/\/+$/, '')}/${pool.chainId}/public/events?page=${pageNumber}&perPage=${PAGE_SIZE}`
  const { status, text } = await getText({
    url,
    headers: { 'x-pool-scope': String(pool.scope) },
    timeoutMs: PATIENCE_MS,
    maxBytes: MAX_BYTES,
  })
  if (status < 200 || status > 299) throw new Error(`the ASP answered ${status}`)
  const { events, total } = page.parse(JSON.parse(text))
  const reviews = events.flatMap(({ type, label, reviewStatus = '' }) =>
    type === 'deposit' && label !== undefined
      ? [{ label: BigInt(label), status: STATUSES[reviewStatus] ?? ('pending' as const) }]
      : [],
  )
  return { reviews, isLast: events.length === 0 || pageNumber * PAGE_SIZE >= total }
}

/**
 * Maximum of consecutive rounds left to another instance. That instance may not reach the provider, although it polls
 * the chain.
 */
const LEFT_AT_MOST = 9

/**
 * Decides which instance asks the association set provider: of those that share their polls of a chain, the one that
 * polls. The results are in the database, so no instance notifies the others.
 * @returns A function that is true if another instance runs the round; call it once a round.
 */
export function leaveRounds(chain: { isLooking(): boolean }): () => boolean {
  let left = 0
  return () => {
    left = chain.isLooking() ? 0 : (left + 1) % (LEFT_AT_MOST + 1)
    return left > 0
  }
}

/**
 * Writes the ASP's reviews of deposits that belong to accounts. Skips accounts that were deleted during the request
 * to the ASP.
 *
 * @returns Labels whose status is new.
 */
export function recordOwnReviews(
  database: DatabasePool,
  pool: { chainId: number; address: string },
  reviews: readonly { label: bigint; status: AspReviewStatus }[],
): Promise<readonly bigint[]> {
  return database.transaction(async (transaction) => {
    const labels = reviews.map(({ label }) => label)
    const owned = new Set(await holdOwnersOfLabels(transaction, pool, labels))
    return recordReviews(
      transaction,
      pool,
      reviews.filter(({ label }) => owned.has(label)),
    )
  })
}
