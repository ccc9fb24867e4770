import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import { listUndecidedDeposits } from '../../../db/account/balances/pool-deposits.ts'
import type { RelayingChain } from '../../chain/nodes/chain.ts'
import { untilEvenTime } from '../../concurrency/even-times.ts'
import { readReviews } from './ask-asp.ts'
import { leaveRounds } from './leave-rounds.ts'
import { recordOwnReviews } from './record-own-reviews.ts'
import type { Pool, PoolState } from './pool-state.ts'

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

  async function look(aspUrl: string, pool: Pool, undecided: Set<bigint>): Promise<void> {
    const isOver = (number: number) => number > MAX_PAGES || ending.signal.aborted
    // The first page is read even without awaited reviews, so that the time of a request reveals nothing.
    for (let number = 1; (number === 1 || undecided.size > 0) && !isOver(number); number += 1) {
      const { reviews, isLast } = await readReviews(aspUrl, pool, number)
      const ours = reviews.filter(({ label }) => undecided.delete(label))
      if (ours.length > 0) await recordOwnReviews(database, pool, ours)
      if (isLast) return
    }
  }

  async function lookAtAll(aspUrl: string): Promise<void> {
    if (isLeftToAnother()) return schedule(aspUrl)
    let failure: unknown
    const undecided = await listUndecidedDeposits(database, chainId).catch((error: unknown) => {
      failure = error
      return []
    })
    const labelsOf = Map.groupBy(undecided, (one) => one.pool)
    for (const pool of pools.pools())
      await look(aspUrl, pool, new Set(labelsOf.get(pool.address)?.map(({ label }) => label))).catch(
        (error: unknown) => {
          // A pool that the provider does not know must not block the others.
          failure ??= error
        },
      )
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
