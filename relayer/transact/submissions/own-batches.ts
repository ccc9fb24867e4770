import { LRUCache } from 'lru-cache'

/** Quotes of the batches that this instance wrote; spares its listeners a query for them. */
export interface OwnBatches {
  note(batchId: string, quoteIds: readonly string[]): void
  /** Null for a batch of another instance, or an old one. */
  find(batchId: string): readonly string[] | null
}

/** Most batches in memory; the oldest are evicted first. */
const MAX_KNOWN = 1_000

/** Creates the memory of this instance. */
export function createOwnBatches(): OwnBatches {
  const known = new LRUCache<string, readonly string[]>({ max: MAX_KNOWN })
  return {
    note: (batchId, quoteIds) => void known.set(batchId, quoteIds),
    find: (batchId) => known.get(batchId) ?? null,
  }
}
