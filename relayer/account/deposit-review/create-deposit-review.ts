import type { Logger } from 'pino'
import { markSeen, removeSkip, writeSkip } from '../../../db/account/deposit-review/review-marks.ts'
import { readLastBlocks } from '../../../db/account/deposit-review/review-rows.ts'
import { readReviewSums } from '../../../db/account/deposit-review/review-standings.ts'
import type { SharedState } from '../../../db/shared-state/shared-state.ts'
import { shareReadings } from '../../concurrency/coalesce-runs.ts'
import { createSumWatch } from '../../concurrency/watch-sums.ts'
import type { Provenance } from '../provenance/provenance.ts'
import type { DepositReview, ReviewItem, ReviewPage, ReviewQuery, ReviewSummary } from './deposit-review.ts'
import { skipUnseen } from './errors.ts'
import { namesWhatHappened } from './judge-review.ts'
import { loadItems, type ReviewItemSources, type LoadedItem } from './load-items.ts'
import { loadMarket, type ReviewMarket } from './load-market.ts'
import { REVIEW_STATUSES } from './review-facts.ts'
import {
  countStandings,
  findSnapshot,
  isBeyondPage,
  keepSnapshot,
  loadStandings,
} from './review-snapshots.ts'

/** Poll interval for followers of counts. Milliseconds. */
const EVERY_MS = 1_000

interface ReviewSources extends ReviewItemSources {
  provenance: Provenance
  sharedState: SharedState
}

/** Creates the review of an account's receipts, over the indexer's tables and the account's quotes. */
export function createDepositReview(sources: ReviewSources & { logger: Logger }): DepositReview {
  const { database, logger } = sources
  const watch = createSumWatch({
    everyMs: EVERY_MS,
    onFailure: (error) => logger.warn({ err: error }, 'reviews of followers could not be looked at'),
    async readSums(accountIds) {
      const rows = await readReviewSums(database, accountIds)
      return new Map(rows.map(({ accountId, sum }) => [accountId, sum]))
    },
  })

  const share = shareReadings<ReviewSummary>()

  async function summarize(accountId: string): Promise<ReviewSummary> {
    const standings = await loadStandings(sources, accountId, await loadMarket(sources, accountId))
    const unseen = standings
      .filter(({ isUnseen }) => isUnseen)
      .toSorted((a, b) => b.lastReceivedAt.getTime() - a.lastReceivedAt.getTime())
    return { counts: countStandings(standings).counts, unseen: unseen.map(({ address }) => address) }
  }

  return {
    summarize,

    async *follow(accountId, signal) {
      let told = await summarize(accountId)
      yield told
      for await (const changedAt of watch.follow(accountId, signal)) {
        const now = await share(accountId, changedAt, () => summarize(accountId))
        if (isSame(now, told)) continue
        told = now
        yield now
      }
    },

    list: (accountId, query) => listReviews(sources, accountId, query),

    markSeen: (accountId) => markSeen(database, accountId),

    async skip(accountId, address, skip) {
      const market = await loadMarket(sources, accountId)
      const item = (await loadItems(sources, accountId, [address], market)).get(address)
      if (!item || !namesWhatHappened(skip, item)) throw skipUnseen()
      const lastBlocks = await readLastBlocks(database, { address, ...skip }, market.trusted)
      return writeSkip(database, accountId, { address, ...skip, lastBlocks })
    },

    restore: (accountId, address) => removeSkip(database, accountId, address),

    stop: watch.stop,
  }
}

async function listReviews(
  sources: ReviewSources,
  accountId: string,
  { snapshotId, tab, cursor, limit }: ReviewQuery,
): Promise<ReviewPage> {
  const { provenance, sharedState } = sources
  const [market, found] = await Promise.all([
    loadMarket(sources, accountId),
    snapshotId === null ? null : findSnapshot(sharedState, accountId, snapshotId),
  ])
  const snapshot =
    found ?? (await keepSnapshot(sharedState, accountId, await loadStandings(sources, accountId, market)))
  const rest = snapshot.entries.filter(
    (entry) => (tab === null || entry[1] === tab) && (cursor === null || isBeyondPage(entry, cursor)),
  )
  const page = rest.slice(0, limit)
  const last = rest.length > limit ? page.at(-1) : undefined
  const items = await loadItems(
    sources,
    accountId,
    page.map(([address]) => address),
    market,
  )
  // A reorg may have removed the receipts of an entry meanwhile.
  const shown = page.flatMap(([address, status]) => {
    const item = items.get(address)
    return item ? [{ ...item, status, reason: status === 'needsReview' ? item.reason : null }] : []
  })
  return {
    snapshotId: snapshot.snapshotId,
    items: await explainItems(provenance, accountId, market, shown),
    counts: snapshot.counts,
    nextCursor: last ? { address: last[0], lastReceivedAt: new Date(last[2]) } : null,
    unseenNeedsReview: snapshot.unseenCount,
  }
}

const isSame = (a: ReviewSummary, b: ReviewSummary) =>
  a.unseen.length === b.unseen.length &&
  REVIEW_STATUSES.every((status) => a.counts[status] === b.counts[status])

/** Adds the sources of their funds to the items of a page; the number of queries does not grow with the items. */
async function explainItems(
  provenance: Provenance,
  accountId: string,
  { known, worth }: ReviewMarket,
  items: readonly (LoadedItem & { status: ReviewItem['status'] })[],
): Promise<ReviewItem[]> {
  const explained = await provenance.explainHoldings(
    accountId,
    items.flatMap(({ assets }) => assets.map(({ facts }) => facts)),
    { known: { tokens: known, prices: worth } },
  )
  return items.map((item) => {
    const sources = item.assets.flatMap(({ facts }) => explained.of(facts).describedSources)
    return {
      ...item,
      assets: item.assets.map((asset) => ({
        ...asset,
        receives: explained.receivesOf(item.address, asset.facts),
      })),
      sources: [...new Map(sources.map((source) => [source.id, source])).values()].toSorted((a, b) =>
        a.id < b.id ? -1 : 1,
      ),
      receives: explained.receivesOf(item.address),
    }
  })
}
