import { presentClient, type Client } from '../../shares/client.ts'
import { Holdings } from '../../shares/holdings.ts'

/** A bounded cache with one entry per account. */
export interface KeptForAccounts<Entry> {
  find(accountId: string): Entry | null
  /**
   * Stores an entry instead of the account's previous one. The account with the largest entry in the heaviest network
   * makes room.
   *
   * @param weight The entry's present weight; store a grown entry again.
   */
  keep(accountId: string, entry: Entry, weight: number): void
}

/** Entries unused for this many milliseconds are evicted, those of deleted accounts too. */
const IDLE_MS = 10 * 60_000

/** Creates the cache; `most` limits the sum of all weights. */
export function keepForAccounts<Entry>(most: number, idleMs = IDLE_MS): KeptForAccounts<Entry> {
  /** In order of last use; `usedAt` is by performance.now(). */
  const entries = new Map<string, { entry: Entry; weight: number; usedAt: number; client: Client }>()
  const holdings = new Holdings<string>()
  let total = 0
  let timer: NodeJS.Timeout | undefined

  function forget(accountId: string): void {
    const found = entries.get(accountId)
    if (!found) return
    total -= found.weight
    holdings.remove(found.client, accountId, found.weight)
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
      // Among equals, evict the least recently used first.
      holdings.remove(found.client, accountId, found.weight)
      holdings.add(found.client, accountId, found.weight)
      return found.entry
    },
    keep(accountId, entry, weight) {
      forget(accountId)
      if (weight > most) return
      // Every account has one entry, so an account's share is its weight.
      const client = { network: presentClient().network, account: accountId }
      entries.set(accountId, { entry, weight, usedAt: performance.now(), client })
      holdings.add(client, accountId, weight)
      total += weight
      timer ??= setInterval(forgetIdle, idleMs / 10).unref()
      while (total > most) for (const heaviest of holdings.ofHeaviest(accountId)) forget(heaviest)
    },
  }
}
