import { OLDER, TOO_MANY, type Root } from './movements.ts'

/** Sources that are kept apart; what comes from more is said to come from too many. */
export const MAX_SOURCES = 64

const OVERFLOW: ReadonlySet<Root> = new Set<Root>([TOO_MANY])
/** What comes from nowhere: nothing. */
export const NO_ROOTS: ReadonlySet<Root> = new Set<Root>()
/** What was there before the service knew of it. */
export const OLDER_ROOTS: ReadonlySet<Root> = new Set<Root>([OLDER])

/** Both together. It is bounded, for every further move works with all of it. */
export function uniteRoots(one: ReadonlySet<Root>, other: ReadonlySet<Root>): ReadonlySet<Root> {
  // A set that is there already is told of again: what was made of it is found by it.
  if (other.isSubsetOf(one)) return one
  if (one.size === 0) return other
  if (one.has(TOO_MANY) || other.has(TOO_MANY)) return OVERFLOW
  const union = one.union(other)
  return union.size > MAX_SOURCES + 1 ? OVERFLOW : union
}
