import type { ActivityCursor } from '../../db/activity/account-activity.ts'

/** True if the first comes later in a list of activities, newest first. */
export function isAfter(one: ActivityCursor, other: ActivityCursor): boolean {
  return compare(one, other) > 0
}

/** Merges two lists, each newest first. */
export function mergePlaces<One extends { place: ActivityCursor }, Other extends { place: ActivityCursor }>(
  some: readonly One[],
  others: readonly Other[],
): (One | Other)[] {
  return [...some, ...others].toSorted((one, other) => compare(one.place, other.place))
}

function compare(one: ActivityCursor, other: ActivityCursor): number {
  return (
    other.blockTime.getTime() - one.blockTime.getTime() ||
    one.chainId - other.chainId ||
    Number(other.blockNumber - one.blockNumber) ||
    other.txIndex - one.txIndex
  )
}
