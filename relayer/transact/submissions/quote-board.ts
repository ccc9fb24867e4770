/** Notifications about quotes within this instance. */
export interface QuoteBoard {
  /** Notifies listeners that the quotes have changed; the change itself is in the database. */
  tell(quoteIds: readonly string[]): void
  /** True if there is any listener. */
  isHeard(): boolean
  /** Calls the listener with the time by `performance.now()`. @returns the function that ends it. */
  listen(quoteId: string, listener: (toldAt: number) => void): () => void
}

/** Creates the board of this instance. A notification names the quote, not the change. */
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
