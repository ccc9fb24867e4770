/** What is kept for accounts while there is room. */
export interface KeptForAccounts<Entry> {
  find(accountId: string): Entry | null
  /**
   * Keeps it instead of what was kept for the account; those that were used longest ago make room.
   *
   * @param weight How much it is, now; an entry that grows is kept anew.
   */
  keep(accountId: string, entry: Entry, weight: number): void
}

/** Creates the store; `most` is what all entries may weigh together. */
export function keepForAccounts<Entry>(most: number): KeptForAccounts<Entry> {
  /** In the order of their last use. */
  const entries = new Map<string, { entry: Entry; weight: number }>()
  let total = 0
  const forget = (accountId: string) => {
    total -= entries.get(accountId)?.weight ?? 0
    entries.delete(accountId)
  }
  return {
    find(accountId) {
      const found = entries.get(accountId)
      if (!found) return null
      entries.delete(accountId)
      entries.set(accountId, found)
      return found.entry
    },
    keep(accountId, entry, weight) {
      forget(accountId)
      if (weight > most) return
      entries.set(accountId, { entry, weight })
      total += weight
      for (const oldest of entries.keys()) {
        if (total <= most) return
        forget(oldest)
      }
    },
  }
}
