/** Who waits for news of quotes, in this instance. */
export interface QuoteBoard {
  /** Says that something about the quotes has changed; what, the database knows. */
  tell(quoteIds: readonly string[]): void
  /** Whether anybody listens. */
  isHeard(): boolean
  /** The listener gets the time by `performance.now()`. @returns the function that ends it. */
  listen(quoteId: string, listener: (toldAt: number) => void): () => void
}

/** Creates the board of this instance; it tells listeners that a quote has news, not what the news is. */
export function createQuoteBoard(): QuoteBoard {
  const listeners = new Map<string, Set<(toldAt: number) => void>>()
  return {
    tell(quoteIds) {
      const toldAt = performance.now()
      for (const quoteId of quoteIds) for (const listener of listeners.get(quoteId) ?? []) listener(toldAt)
    },
    isHeard: () => listeners.size > 0,
    listen(quoteId, listener) {
      const those = listeners.get(quoteId) ?? new Set()
      listeners.set(quoteId, those.add(listener))
      return () => {
        those.delete(listener)
        if (those.size === 0 && listeners.get(quoteId) === those) listeners.delete(quoteId)
      }
    },
  }
}
