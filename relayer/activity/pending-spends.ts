import type { Vault } from '../identity/vault.ts'
import type { Prices } from '../market/prices/prices.ts'
import type { Tokens } from '../market/tokens/tokens.ts'
import { describePendingSpend, lifecycleOfTold, newestHashOf } from './describe-told-spend.ts'
import { loadToldAmounts } from './describe-amounts.ts'
import { originOfNote } from './explain-activity.ts'
import type { Explained } from './activity.ts'
import type { PendingActivity, PendingItem, PendingStatus } from './pending.ts'
import { listToldSpends, readSubmittedAt, type ToldActivity, type ToldSpendSources } from './told-spends.ts'

/** Milliseconds for which an ended item stays in the list. */
const KEPT_MS = 5 * 60_000
const MOST = 200

/** Sources of reported spends, and of what describes them. */
export interface PendingSpendSources extends ToldSpendSources {
  vault: Vault
  tokens: Tokens
  prices: Prices
}

/** Adds accounts' reported spends from pools to the pending activity. No address funds them. */
export function addPendingSpends(quoted: PendingActivity, sources: PendingSpendSources): PendingActivity {
  const { database, vault } = sources
  const chainOf = new Map(sources.chains.map((chain) => [chain.chainId, chain]))

  const listRecent = async (accountId: string) => {
    const oldest = Date.now() - KEPT_MS
    const told = (await listToldSpends(sources, accountId)).filter(
      ({ endedAt }) => endedAt === null || endedAt.getTime() > oldest,
    )
    return Promise.all(
      told.map(async (one) => ({
        ...one,
        submittedAt: await readSubmittedAt(database, vault, accountId, one),
      })),
    )
  }

  return {
    async list(accountId, address) {
      const { items, groups } = await quoted.list(accountId, address)
      if (address !== undefined) return { items, groups }
      const told = await listRecent(accountId)
      const amountOf = await loadToldAmounts(sources, told)
      const spends = told.flatMap((one) => {
        const chain = chainOf.get(one.pool.chainId)
        return chain ? [explainSpend(describePendingSpend(one, chain, amountOf))] : []
      })
      const all = [...items, ...spends].toSorted((one, other) => other.date.getTime() - one.date.getTime())
      return { items: all.slice(0, MOST), groups }
    },
    async statuses(accountId, quoteIds) {
      const asked = new Set(quoteIds)
      const [statuses, told] = await Promise.all([
        quoted.statuses(accountId, quoteIds),
        listRecent(accountId),
      ])
      return [...statuses, ...told.filter(({ spend }) => asked.has(spend.id)).map(statusOf)]
    },
  }
}

function explainSpend(item: PendingItem): Explained<PendingItem> {
  const transfers = item.transfers.map((transfer) => ({ ...transfer, origin: originOfNote(transfer) }))
  return { ...item, transfers, sourceOrigin: transfers[0]?.origin ?? null }
}

const statusOf = (told: ToldActivity & { submittedAt: Date }): PendingStatus => ({
  quoteId: told.spend.id,
  txHash: newestHashOf(told),
  lifecycle: lifecycleOfTold(told),
  bridge: null,
  offRamp: null,
  updatedAt: told.endedAt ?? told.ends.at(-1)?.spentAt ?? told.submittedAt,
})
