import { presentClient, type Client } from '../../shares/client.ts'
import { Holdings } from '../../shares/holdings.ts'

/** What is kept for accounts while there is room. */
export interface KeptForAccounts<Entry> {
  find(accountId: string): Entry | null
  /**
   * Keeps it instead of what was kept for the account. The network that has most makes room, by the account of it that has
   * most.
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
      // Of clients that have alike, whoever used theirs longest ago comes first.
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
