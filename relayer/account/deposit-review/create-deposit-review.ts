import { markSeen, removeSkip, writeSkip } from '../../../db/account/deposit-review/review-marks.ts'
import type { SharedState } from '../../../db/shared-state/shared-state.ts'
import { serverBusy } from '../../errors.ts'
import type { DepositReview, ReviewCounts, ReviewItem } from './deposit-review.ts'
import { skipUnseen } from './errors.ts'
import { namesWhatHappened } from './judge-review.ts'
import { loadReview, type LoadedItem, type ReviewSources } from './load-review.ts'
import { findSnapshot, isAfter, keepSnapshot, type SnapshotEntry } from './review-snapshots.ts'

const isShown = (item: LoadedItem): item is ReviewItem => item.status !== null

/** Creates the review of what an account's addresses received, over what the indexer and the account's quotes say. */
export function createDepositReview(sources: ReviewSources & { sharedState: SharedState }): DepositReview {
  const { database, sharedState } = sources

  return {
    async summarize(accountId) {
      const items = [...(await loadReview(sources, accountId)).values()]
      const unseen = items
        .filter(({ isUnseen }) => isUnseen)
        .toSorted((a, b) => b.lastReceivedAt.getTime() - a.lastReceivedAt.getTime())
      return {
        needsReviewCount: items.filter(({ status }) => status === 'needsReview').length,
        unseenNeedsReview: unseen.length,
        unseen: unseen.map(({ address }) => address),
      }
    },

    async list(accountId, { snapshotId, tab, cursor, limit }) {
      const [items, found] = await Promise.all([
        loadReview(sources, accountId),
        snapshotId === null ? null : findSnapshot(sharedState, accountId, snapshotId),
      ])
      const shown = [...items.values()].filter(isShown)
      const snapshot = found ?? (await keepSnapshot(sharedState, accountId, shown.map(toEntry)))
      const rest = snapshot.entries.filter(
        (entry) => (tab === null || entry[1] === tab) && (cursor === null || isAfter(entry, cursor)),
      )
      const page = rest.slice(0, limit)
      const last = rest.length > limit ? page.at(-1) : undefined
      return {
        snapshotId: snapshot.snapshotId,
        // What a reorg took away meanwhile has nothing to be described with.
        items: page.flatMap(([address, status]): ReviewItem[] => {
          const item = items.get(address)
          if (!item) return []
          return [{ ...item, status, reason: item.status === status ? item.reason : null }]
        }),
        counts: countEntries(snapshot.entries),
        nextCursor: last ? { address: last[0], lastReceivedAt: new Date(last[2]) } : null,
        unseenNeedsReview: shown.filter(({ isUnseen }) => isUnseen).length,
      }
    },

    async markSeen(accountId) {
      const seenAt = await markSeen(database, accountId)
      if (!seenAt) throw serverBusy('No chain is indexed yet; try again in a moment')
      return seenAt
    },

    async skip(accountId, address, skip) {
      const item = (await loadReview(sources, accountId)).get(address)
      if (!item || !namesWhatHappened(skip, item)) throw skipUnseen()
      return writeSkip(database, accountId, { address, ...skip })
    },

    restore: (accountId, address) => removeSkip(database, accountId, address),
  }
}

const toEntry = ({ address, status, lastReceivedAt }: ReviewItem): SnapshotEntry => [
  address,
  status,
  lastReceivedAt.getTime(),
]

function countEntries(entries: readonly SnapshotEntry[]): ReviewCounts {
  const counts: ReviewCounts = { needsReview: 0, inProgress: 0, done: 0, skipped: 0 }
  for (const [, status] of entries) counts[status] += 1
  return counts
}
