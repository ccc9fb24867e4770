import { OLDER, TOO_MANY, type Root } from './movements.ts'

/** Maximum of sources that are kept apart; beyond it the result is {@link TOO_MANY}. */
export const MAX_SOURCES = 64

const OVERFLOW: ReadonlySet<Root> = new Set<Root>([TOO_MANY])
/** The roots of an empty set of lots. */
export const NO_ROOTS: ReadonlySet<Root> = new Set<Root>()
/** The roots of funds from before the known history. */
export const OLDER_ROOTS: ReadonlySet<Root> = new Set<Root>([OLDER])

/** Returns the union of two sets of roots. It is bounded, because every further move processes all of it. */
export function uniteRoots(one: ReadonlySet<Root>, other: ReadonlySet<Root>): ReadonlySet<Root> {
  // Keep the same object if nothing is added: caches find their results by it.
  if (other.isSubsetOf(one)) return one
  if (one.size === 0) return other
  if (one.has(TOO_MANY) || other.has(TOO_MANY)) return OVERFLOW
  const union = one.union(other)
  return union.size > MAX_SOURCES + 1 ? OVERFLOW : union
}
