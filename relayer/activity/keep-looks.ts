import { isDeepStrictEqual } from 'node:util'
import type { DatabasePool } from 'slonik'
import { hasSameFacts, type AccountVersion } from '../../db/account/changes/account-version.ts'
import {
  listAccountTransactions,
  type AccountTxRow,
  type ActivityCursor,
} from '../../db/activity/account-activity.ts'
import { keepForAccounts } from '../account/changes/keep-for-accounts.ts'
import type { KnownTokens } from '../account/provenance/provenance.ts'
import type { Prices } from '../market/prices/prices.ts'
import type { Tokens } from '../market/tokens/tokens.ts'
import type { ActivityItem } from './activity.ts'
import { learnTokensOf } from './load-facts.ts'
import { areSame, readFacts, type ReadFacts } from './read-facts.ts'

/** Maximum of cached transactions and transfers of all accounts together: under four kilobytes each, with their texts. */
const MOST_KEPT = 6_000
/** Maximum of cached looks per account: a page of 500 is five. */
const MOST_LOOKS = 16

/** Described transactions; null for one of a chain that is no longer supported. */
export type DescribedTransactions = readonly { place: AccountTxRow; item: ActivityItem | null }[]

/** Some transactions of an account, newest first, with their present descriptions. */
export interface Look {
  rows: readonly AccountTxRow[]
  described: DescribedTransactions
  known: KnownTokens
  /** True if no transaction follows. */
  isLast: boolean
}

interface KeptLook {
  facts: ReadFacts
  made: { described: DescribedTransactions; known: KnownTokens }
}

interface KeptLooks {
  version: AccountVersion
  looks: Map<string, KeptLook>
}

/** Reads and describes transactions of accounts. */
export interface Looks {
  /**
   * Returns the transactions after a place; fewer than `limit` if they have very many transfers. Reuses rows and
   * descriptions while nothing changed.
   *
   * @param version The version of the account's facts, read before.
   */
  look(
    accountId: string,
    version: AccountVersion,
    page: { after: ActivityCursor | null; limit: number; involving?: string },
  ): Promise<Look>
}

/**
 * Creates the looks. The count of the account's changes covers their facts; the remaining facts are read again each
 * time.
 *
 * @param describe A pure function of its arguments.
 */
export function createLooks(
  sources: { database: DatabasePool; tokens: Tokens; prices: Prices },
  describe: (facts: ReadFacts, known: KnownTokens) => Promise<DescribedTransactions>,
): Looks {
  const { database } = sources
  const kept = keepForAccounts<KeptLooks>(MOST_KEPT)

  async function read(accountId: string, page: Parameters<Looks['look']>[2]): Promise<ReadFacts | null> {
    const rows = await listAccountTransactions(database, accountId, page)
    return rows.length === 0 ? null : readFacts(database, accountId, rows)
  }

  async function describeNow(facts: ReadFacts, before: KeptLook['made'] | null): Promise<KeptLook['made']> {
    const known = await learnTokensOf(sources, facts.tokens)
    return before && isSameToItems(before.known, known)
      ? before
      : { described: await describe(facts, known), known }
  }

  return {
    async look(accountId, version, page) {
      const found = kept.find(accountId)
      const { after, limit } = page
      const key = JSON.stringify([after && { ...after, blockNumber: String(after.blockNumber) }, limit])
      // Searches for one address are seldom repeated.
      const isKept = page.involving === undefined
      const known = isKept && found && hasSameFacts(found.version, version) ? found.looks.get(key) : undefined
      const isCurrent = known && (await areSame(database, accountId, known.facts))
      const facts = isCurrent ? known.facts : await read(accountId, page)
      if (!facts)
        return { rows: [], described: [], known: { tokens: new Map(), prices: new Map() }, isLast: true }
      const made = await describeNow(facts, isCurrent ? known.made : null)
      if (isKept && made !== known?.made) keep(accountId, version, key, { facts, made })
      const { rows, isCut } = facts
      return { rows, isLast: !isCut && rows.length < limit, ...made }
    },
  }

  function keep(accountId: string, version: AccountVersion, key: string, look: KeptLook): void {
    const found = kept.find(accountId)
    const looks = found && hasSameFacts(found.version, version) ? found.looks : new Map<string, KeptLook>()
    looks.delete(key)
    if (looks.size >= MOST_LOOKS) looks.clear()
    looks.set(key, look)
    const weight = [...looks.values()].reduce(
      (sum, { facts: { rows, transfers } }) => sum + rows.length + transfers.length,
      1,
    )
    kept.keep(accountId, { version, looks }, weight)
  }
}

/** Compares prices only by value: items do not show the time of observation. */
const isSameToItems = (one: KnownTokens, other: KnownTokens) =>
  isDeepStrictEqual(one.tokens, other.tokens) &&
  [...other.prices].every(([key, price]) => one.prices.get(key)?.usd === price?.usd)
