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

/** What nobody used so long is forgotten, of deleted accounts too. */
const IDLE_MS = 10 * 60_000

/** Creates the store; `most` is what all entries may weigh together. */
export function keepForAccounts<Entry>(most: number, idleMs = IDLE_MS): KeptForAccounts<Entry> {
  /** In the order of their last use, which is by performance.now(). */
  const entries = new Map<string, { entry: Entry; weight: number; usedAt: number }>()
  let total = 0
  let timer: NodeJS.Timeout | undefined

  function forget(accountId: string): void {
    total -= entries.get(accountId)?.weight ?? 0
    entries.delete(accountId)
    if (entries.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function forgetIdle(): void {
    const before = performance.now() - idleMs
    for (const [accountId, { usedAt }] of entries) {
      if (usedAt > before) return
      forget(accountId)
    }
  }

  return {
    find(accountId) {
      const found = entries.get(accountId)
      if (!found) return null
      entries.delete(accountId)
      entries.set(accountId, { ...found, usedAt: performance.now() })
      return found.entry
    },
    keep(accountId, entry, weight) {
      forget(accountId)
      if (weight > most) return
      entries.set(accountId, { entry, weight, usedAt: performance.now() })
      total += weight
      timer ??= setInterval(forgetIdle, idleMs / 10).unref()
      for (const oldest of entries.keys()) {
        if (total <= most) return
        forget(oldest)
      }
    },
  }
}
