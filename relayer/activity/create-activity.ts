import type { DatabasePool } from 'slonik'
import { countInteractions, listAccountTransactions } from '../../db/activity/account-activity.ts'
import type { ActivityCursor } from '../../db/activity/account-activity.ts'
import type { ChainConfig } from '../chain/nodes/config.ts'
import type { Activity, ActivityItem, ActivityPage } from './activity.ts'
import { describeActivity } from './describe-activity.ts'
import { loadFacts, type FactSources } from './load-facts.ts'

/** What the activity is built from. */
export interface ActivityOptions extends FactSources {
  database: DatabasePool
  chains: readonly ChainConfig[]
}

interface PageQuery {
  limit: number
  cursor: ActivityCursor | undefined
  involving?: string
  keep(item: ActivityItem): boolean
}

/**
 * Transactions that one page examines beyond its limit, so that the filter of a spammed account ends in time.
 */
const MOST_LOOKED_AT = 2_000

/**
 * Creates the activity over what the indexer keeps. Nothing is stored for it: items are described when they are
 * read.
 */
export function createActivity(options: ActivityOptions): Activity {
  const { database } = options
  const chains = new Map(options.chains.map((chain) => [chain.chainId, chain]))

  /** Reads on past what the filter leaves out, until the page is full or nothing is left. */
  async function readPage(accountId: string, query: PageQuery): Promise<ActivityPage> {
    const { limit, cursor, involving, keep } = query
    const items: ActivityItem[] = []
    let after: ActivityCursor | null = cursor ?? null
    for (let lookedAt = 0; lookedAt <= limit + MOST_LOOKED_AT;) {
      const rows = await listAccountTransactions(database, accountId, {
        after,
        limit: limit + 1,
        ...(involving !== undefined && { involving }),
      })
      if (rows.length === 0) return { items, nextCursor: null }
      const { transactions, sources } = await loadFacts(options, accountId, rows)
      for (const transaction of transactions) {
        const chain = chains.get(transaction.row.chainId)
        const item =
          chain &&
          describeActivity(transaction, chain, { ...sources, chainOf: (chainId) => chains.get(chainId) })
        if (item && keep(item)) {
          if (items.length === limit) return { items, nextCursor: after }
          items.push(item)
        }
        after = transaction.row
      }
      if (rows.length <= limit) return { items, nextCursor: null }
      lookedAt += rows.length
    }
    return { items, nextCursor: after }
  }

  return {
    list: (accountId, { limit, cursor, hideLikelySpam }) =>
      readPage(accountId, { limit, cursor, keep: (item) => !(hideLikelySpam && item.isLikelySpam) }),
    async search(accountId, query) {
      const { address, limit, cursor, hideExternal, hideLikelySpam } = query
      const [page, summary] = await Promise.all([
        readPage(accountId, {
          limit,
          cursor,
          involving: address,
          keep: (item) => !(hideLikelySpam && item.isLikelySpam) && !(hideExternal && item.isExternal),
        }),
        query.summary ? countInteractions(database, accountId, address) : null,
      ])
      return {
        ...page,
        summary: summary && { interactionCount: summary.count, chainIds: summary.chainIds },
      }
    },
  }
}
