import type { CheckedRequest } from './check-request.ts'

/** Maximum of remembered notes; the oldest are evicted. */
const KEPT = 10_000

/** Notes that this instance relayed lately. A request of one of them reads the database first. */
export interface RecentNotes {
  add(note: Note): void
  has(note: Note): boolean
}

type Note = Pick<CheckedRequest, 'pool' | 'nullifierHash'>

/** Creates the memory. It may forget and starts empty: only the database decides which request holds a note. */
export function createRecentNotes(): RecentNotes {
  const notes = new Set<string>()
  const keyOf = ({ pool, nullifierHash }: Note) => `${pool.chainId}:${pool.address}:${nullifierHash}`
  return {
    add(note) {
      notes.add(keyOf(note))
      const [oldest] = notes
      if (notes.size > KEPT && oldest !== undefined) notes.delete(oldest)
    },
    has: (note) => notes.has(keyOf(note)),
  }
}
