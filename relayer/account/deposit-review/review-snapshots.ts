import { randomUUID } from 'node:crypto'
import type { Address } from 'viem'
import { z } from 'zod'
import type { SharedState } from '../../../db/shared-state/shared-state.ts'
import type { ReviewCounts } from './deposit-review.ts'
import { REVIEW_STATUSES, type ReviewStatus } from './review-facts.ts'
import { listReviewStandings } from '../../../db/account/deposit-review/review-standings.ts'
import { judgeAddress } from './judge-review.ts'
import type { MarketSources, ReviewMarket } from './load-market.ts'

/** Lifetime of a snapshot. Milliseconds. */
const SNAPSHOT_MS = 30_000
/** Maximum of entries in a snapshot; the newest are kept. */
const MOST_ENTRIES = 10_000

const snapshotText = z.object({
  counts: z.record(z.enum(REVIEW_STATUSES), z.int()),
  unseenCount: z.int(),
  entries: z.array(
    z.tuple([z.custom<Address>((address) => typeof address === 'string'), z.enum(REVIEW_STATUSES), z.int()]),
  ),
})

/** An address in a snapshot, its group, and its last trusted receipt as milliseconds since the epoch. */
export type SnapshotEntry = readonly [address: Address, status: ReviewStatus, lastReceivedMs: number]

/** A review at one moment: its addresses with group and order. */
export interface ReviewSnapshot {
  snapshotId: string
  /** Counts of the whole review, even if it has more addresses than `entries`. */
  counts: ReviewCounts
  unseenCount: number
  entries: readonly SnapshotEntry[]
}

/** The end of a page. */
export interface ReviewPosition {
  lastReceivedAt: Date
  address: Address
}

/** Orders the newest receipt first; equal ones by address. */
export const compareEntries = ([a, , atA]: SnapshotEntry, [b, , atB]: SnapshotEntry): number =>
  atB - atA || (a < b ? -1 : a > b ? 1 : 0)

/** True if an entry comes after the end of a page. */
export const isBeyondPage = (entry: SnapshotEntry, { address, lastReceivedAt }: ReviewPosition): boolean =>
  compareEntries([address, 'done', lastReceivedAt.getTime()], entry) < 0

const keyOf = (accountId: string, snapshotId: string) => `deposit-review:${accountId}:${snapshotId}`

/**
 * Finds an account's snapshot by id; null if it expired, belongs to another account or never existed. Without the
 * shared store each instance has its own snapshots.
 */
export async function findSnapshot(
  state: SharedState,
  accountId: string,
  snapshotId: string,
): Promise<ReviewSnapshot | null> {
  const text = await state.get(keyOf(accountId, snapshotId))
  return text === null ? null : { snapshotId, ...snapshotText.parse(JSON.parse(text)) }
}

/** Stores a snapshot of a review for 30 seconds: the newest 10,000 entries, and the counts of all. */
export async function keepSnapshot(
  state: SharedState,
  accountId: string,
  standings: readonly AddressStanding[],
): Promise<ReviewSnapshot> {
  const content = {
    ...countStandings(standings),
    entries: standings.map(toEntry).toSorted(compareEntries).slice(0, MOST_ENTRIES),
  }
  const snapshotId = randomUUID()
  await state.set(keyOf(accountId, snapshotId), JSON.stringify(content), SNAPSHOT_MS)
  return { snapshotId, ...content }
}

const toEntry = ({ address, status, lastReceivedAt }: AddressStanding): SnapshotEntry => [
  address,
  status,
  lastReceivedAt.getTime(),
]

/** Counts the addresses by status, and the unseen ones. */
export function countStandings(standings: readonly AddressStanding[]) {
  const counts: ReviewCounts = { needsReview: 0, inProgress: 0, done: 0, skipped: 0 }
  for (const { status } of standings) counts[status] += 1
  return { counts, unseenCount: standings.filter(({ isUnseen }) => isUnseen).length }
}

/** The status of an address in the review. */
interface AddressStanding {
  address: Address
  status: ReviewStatus
  /** Time of its last trusted receipt. */
  lastReceivedAt: Date
  /** True if it needs review for a trusted receipt that the account has not seen. */
  isUnseen: boolean
}

/** Loads the status of every address in an account's review, without holdings and prices. */
export async function loadStandings(
  { database }: MarketSources,
  accountId: string,
  { trusted }: ReviewMarket,
): Promise<readonly AddressStanding[]> {
  const rows = await listReviewStandings(database, accountId, trusted)
  return rows.flatMap((row) => {
    const status = judgeAddress(row)
    if (!status) return []
    const { address, lastReceivedAt } = row
    return [{ address, status, lastReceivedAt, isUnseen: status === 'needsReview' && row.isUnseen }]
  })
}
