import { randomUUID } from 'node:crypto'
import type { Address } from 'viem'
import { z } from 'zod'
import type { SharedState } from '../../../db/shared-state/shared-state.ts'
import type { ReviewStatus } from './review-facts.ts'

/** How long a snapshot can be read, from its building. Milliseconds. */
const SNAPSHOT_MS = 30_000
/** The newest of a review that a snapshot holds. */
const MOST_ENTRIES = 10_000

const snapshotText = z.array(
  z.tuple([
    z.custom<Address>((address) => typeof address === 'string'),
    z.enum(['needsReview', 'inProgress', 'done', 'skipped']),
    z.int(),
  ]),
)

/** An address in a snapshot, its group, and its last trusted receipt as milliseconds since the epoch. */
export type SnapshotEntry = readonly [address: Address, status: ReviewStatus, lastReceivedMs: number]

/** A review as it was at one moment: who is in it, in which group and order. */
export interface ReviewSnapshot {
  snapshotId: string
  entries: readonly SnapshotEntry[]
}

/** Where a page ended. */
export interface ReviewPosition {
  lastReceivedAt: Date
  address: Address
}

/** The newest receipt first; equal ones by their address. */
export const compareEntries = ([a, , atA]: SnapshotEntry, [b, , atB]: SnapshotEntry): number =>
  atB - atA || (a < b ? -1 : a > b ? 1 : 0)

/** Whether an entry comes after the end of a page. */
export const isAfter = (entry: SnapshotEntry, { address, lastReceivedAt }: ReviewPosition): boolean =>
  compareEntries([address, 'done', lastReceivedAt.getTime()], entry) < 0

const keyOf = (accountId: string, snapshotId: string) => `deposit-review:${accountId}:${snapshotId}`

/**
 * The snapshot of an account under an id; null where it has expired, is another account's, or was never made. Without the
 * shared store each instance has its own.
 */
export async function findSnapshot(
  state: SharedState,
  accountId: string,
  snapshotId: string,
): Promise<ReviewSnapshot | null> {
  const text = await state.get(keyOf(accountId, snapshotId))
  return text === null ? null : { snapshotId, entries: snapshotText.parse(JSON.parse(text)) }
}

/** Keeps who is in a review now for 30 seconds: the newest 10,000. */
export async function keepSnapshot(
  state: SharedState,
  accountId: string,
  entries: readonly SnapshotEntry[],
): Promise<ReviewSnapshot> {
  const snapshot = {
    snapshotId: randomUUID(),
    entries: entries.toSorted(compareEntries).slice(0, MOST_ENTRIES),
  }
  await state.set(keyOf(accountId, snapshot.snapshotId), JSON.stringify(snapshot.entries), SNAPSHOT_MS)
  return snapshot
}
