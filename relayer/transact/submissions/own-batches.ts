/** The quotes of the batches that this instance wrote: whoever waits for their news need not ask the database whose they are. */
export interface OwnBatches {
  note(batchId: string, quoteIds: readonly string[]): void
  /** Null for a batch of another instance, or an old one. */
  find(batchId: string): readonly string[] | null
}

/** Batches that are remembered; the oldest go first. */
const MAX_KNOWN = 1_000

/** Creates the memory of this instance. */
export function createOwnBatches(): OwnBatches {
  const known = new Map<string, readonly string[]>()
  return {
    note(batchId, quoteIds) {
      known.set(batchId, quoteIds)
      if (known.size > MAX_KNOWN) known.delete(known.keys().next().value ?? '')
    },
    find: (batchId) => known.get(batchId) ?? null,
  }
}
