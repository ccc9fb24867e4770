import type { CheckedRequest } from './check-request.ts'

/** Notes that are remembered; of more the oldest are forgotten. */
const KEPT = 10_000

/** Which notes this instance has relayed lately. A request of one of these asks the database before anything else. */
export interface RecentNotes {
  add(note: Note): void
  has(note: Note): boolean
}

type Note = Pick<CheckedRequest, 'pool' | 'nullifierHash'>

/** Creates the memory. It may forget and it starts empty: the database alone says who holds a note. */
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
