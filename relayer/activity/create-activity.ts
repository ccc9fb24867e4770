import type { Address } from 'viem'
import { readAccountVersion, type AccountVersion } from '../../db/account/changes/account-version.ts'
import { findPlace, type WantedActivity } from '../../db/activity/find-place.ts'
import { countInteractions, type ActivityCursor } from '../../db/activity/account-activity.ts'
import type { AppRegistry } from '../account/apps/app-registry.ts'
import type { ChainConfig } from '../chain/nodes/config.ts'
import { mapInSlices } from '../concurrency/next-slice.ts'
import type { KnownTokens, Provenance } from '../account/provenance/provenance.ts'
import type { Prices } from '../market/prices/prices.ts'
import type { Tokens } from '../market/tokens/tokens.ts'
import type {
  Activity,
  ActivityItem,
  ActivityPage,
  ActivitySearch,
  Explained,
  ExplainedItems,
} from './activity.ts'
import { describeActivity } from './describe-activity.ts'
import { describeToldSpend } from './describe-told-spend.ts'
import { explainActivity } from './explain-activity.ts'
import { createLooks, type DescribedTransactions, type Look, type Looks } from './keep-looks.ts'
import { joinFacts } from './load-facts.ts'
import type { ReadFacts } from './read-facts.ts'
import { loadToldAmounts } from './describe-amounts.ts'
import { listToldSpends, placeOf, type ToldSpendSources } from './told-spends.ts'
import { shareReadings } from '../concurrency/coalesce-runs.ts'

/** Sources of the activity. */
export interface ActivitySources extends ToldSpendSources {
  tokens: Tokens
  prices: Prices
  provenance: Provenance
  apps: AppRegistry
}

const NOTHING_KNOWN: KnownTokens = { tokens: new Map(), prices: new Map() }

interface PageQuery {
  limit: number
  cursor: ActivityCursor | undefined
  involving?: Address
  keep(item: ActivityItem): boolean
  /** Bytes of the answer per transfer of an item. */
  bytesOfTransfer: number
}

/** Maximum of transactions that one page reads beyond its limit, so that the filter of a spammed account ends in time. */
const MOST_LOOKED_AT = 2_000
/** Transactions read at a time, each with up to a hundred transfers. */
const SLICE = 100
/**
 * Approximate bytes of a page. A page beyond them ends before its limit, with a cursor: the limit counts only
 * transactions.
 */
const MOST_BYTES = 4 * 1_024 * 1_024
/** Bytes of an item without its transfers and calls. */
const BYTES_OF_ITEM = 3_000
/** Bytes of a transfer with its origin, and of one that is read but not shown. */
const BYTES_OF_TRANSFER = { shown: 2_000, hidden: 100 }

/** An ended spend with its place among the transactions. */
interface ToldItem {
  place: ActivityCursor
  item: ActivityItem
}

/** The items of a page. */
interface ReadItems {
  items: readonly ActivityItem[]
  nextCursor: ActivityCursor | null
  known: KnownTokens
}

class IndexedActivity implements Activity {
  readonly #options: ActivitySources
  readonly #chains: ReadonlyMap<number, ChainConfig>
  readonly #looks: Looks
  readonly follow: Activity['follow']

  constructor(options: ActivitySources) {
    this.#options = options
    this.#chains = new Map(options.chains.map((chain) => [chain.chainId, chain]))
    this.#looks = createLooks(options, (facts, known) => this.#describe(facts, known))
    this.follow = createActivityFollower((accountId, query) => this.list(accountId, query))
  }

  list(
    accountId: string,
    { limit, cursor, hideLikelySpam }: Parameters<Activity['list']>[1],
  ): Promise<ActivityPage> {
    return this.#readPage(accountId, {
      limit,
      cursor,
      keep: (item) => !(hideLikelySpam && item.isLikelySpam),
      // A list shows one of them.
      bytesOfTransfer: BYTES_OF_TRANSFER.hidden,
    })
  }

  async search(accountId: string, query: ActivitySearch) {
    const { address, limit, cursor, hideExternal, hideLikelySpam } = query
    const [page, summary] = await Promise.all([
      this.#readPage(accountId, {
        limit,
        cursor,
        involving: address,
        keep: (item) => !(hideLikelySpam && item.isLikelySpam) && !(hideExternal && item.isExternal),
        bytesOfTransfer: BYTES_OF_TRANSFER.shown,
      }),
      query.summary ? this.#summarize(accountId, address) : null,
    ])
    return { ...page, summary }
  }

  async find(accountId: string, wanted: WantedActivity): Promise<ExplainedItems<ActivityItem>> {
    const place =
      (await findPlace(this.#options.database, accountId, wanted)) ??
      ('quoteId' in wanted
        ? (await this.#listTold(accountId)).find(({ item }) => item.quoteId === wanted.quoteId)?.place
        : undefined)
    if (!place) return { items: [], groups: [] }
    // A page that begins just above the place.
    const cursor = { ...place, txIndex: place.txIndex + 1 }
    const page = await this.list(accountId, { limit: 1, cursor, hideLikelySpam: false })
    const isWanted = ({ chainId, txHash, quoteId }: ActivityItem) =>
      'quoteId' in wanted
        ? quoteId === wanted.quoteId
        : chainId === wanted.chainId && txHash === wanted.txHash
    const items = page.items.filter(isWanted)
    return { items, groups: items.length > 0 ? page.groups : [] }
  }

  async #describe(facts: ReadFacts, known: KnownTokens): Promise<DescribedTransactions> {
    const chains = this.#chains
    const { transactions, sources } = joinFacts(facts, known)
    const { apps } = this.#options
    const all = { ...sources, apps, chainOf: (chainId: number) => chains.get(chainId) }
    return mapInSlices(transactions, (transaction) => {
      const chain = chains.get(transaction.row.chainId)
      return { place: transaction.row, item: chain ? describeActivity(transaction, chain, all) : null }
    })
  }

  async #readPage(accountId: string, query: PageQuery): Promise<ActivityPage> {
    const { database, provenance } = this.#options
    // Read first: in the other order, a spend to oneself that is indexed in between would be missing.
    const told = await this.#listTold(accountId)
    const version = await readAccountVersion(database, accountId)
    const { items, nextCursor, known } = await this.#readItems(accountId, query, version, told)
    return { ...(await explainActivity(provenance, accountId, items, { known, version })), nextCursor }
  }

  /** Lists ended spends that no transaction of the account shows. */
  async #listTold(accountId: string): Promise<ToldItem[]> {
    const told = (await listToldSpends(this.#options, accountId)).filter(
      ({ endedAt, isShownByChain }) => endedAt !== null && !isShownByChain,
    )
    const amountOf = await loadToldAmounts(this.#options, told)
    return told.flatMap((one) => {
      const chain = this.#chains.get(one.pool.chainId)
      return chain ? [{ place: placeOf(one), item: describeToldSpend(one, chain, amountOf) }] : []
    })
  }

  /** Reads on past filtered items until the page is full or nothing is left. */
  async #readItems(
    accountId: string,
    query: PageQuery,
    version: AccountVersion,
    allTold: readonly ToldItem[],
  ): Promise<ReadItems> {
    const { limit, cursor, involving, keep } = query
    const told = allTold.filter(({ item }) => involves(item, involving))
    const items: ActivityItem[] = []
    let known = NOTHING_KNOWN
    let after: ActivityCursor | null = cursor ?? null
    let isFirst = true
    let bytes = 0
    for (let lookedAt = 0; lookedAt <= limit + MOST_LOOKED_AT;) {
      // One more than wanted, to detect another page.
      const read = await this.#looks.look(accountId, version, {
        after,
        limit: isFirst ? Math.min(limit + 1, SLICE) : SLICE,
        ...(involving !== undefined && { involving }),
      })
      const between = listBetween(told, after, read)
      known = uniteKnown(known, read.known)
      for (const { place, item } of mergePlaces(read.described, between)) {
        const isKept = item !== null && keep(item)
        if (isKept && items.length === limit) return { items, nextCursor: after, known }
        bytes += bytesOf(item, isKept, query.bytesOfTransfer)
        if (bytes > MOST_BYTES && !isFirst) return { items, nextCursor: after, known }
        isFirst = false
        if (isKept) items.push(item)
        after = place
      }
      if (read.isLast) return { items, nextCursor: null, known }
      lookedAt += read.rows.length
    }
    return { items, nextCursor: after, known }
  }

  async #summarize(accountId: string, address: Address) {
    const [{ count, chainIds }, told] = await Promise.all([
      countInteractions(this.#options.database, accountId, address),
      this.#listTold(accountId),
    ])
    const theirs = told.filter(({ item }) => involves(item, address))
    const all = new Set([...chainIds, ...theirs.map(({ item }) => item.chainId)])
    return {
      interactionCount: count + theirs.length,
      chainIds: [...all].toSorted((one, other) => one - other),
    }
  }
}

/**
 * Creates the activity over the indexer's tables. It stores nothing: items are described when they are read, and
 * cached in memory while their facts are unchanged.
 */
export const createActivity = (options: ActivitySources): Activity => new IndexedActivity(options)

/** Returns the reported spends among the transactions that were read after a place. */
function listBetween(
  told: readonly ToldItem[],
  from: ActivityCursor | null,
  { rows, isLast }: Look,
): readonly ToldItem[] {
  const to: ActivityCursor | null = rows.at(-1) ?? null
  return told.filter(({ place }) => (!from || isAfter(place, from)) && (isLast || !to || !isAfter(place, to)))
}

const uniteKnown = (one: KnownTokens, other: KnownTokens): KnownTokens => ({
  tokens: new Map([...one.tokens, ...other.tokens]),
  prices: new Map([...one.prices, ...other.prices]),
})

/** Returns the bytes that an item adds to a page, or the cost of reading one that is not shown. */
const bytesOf = (item: ActivityItem | null, isKept: boolean, ofTransfer: number): number =>
  item && isKept
    ? BYTES_OF_ITEM + bytesOfCalls(item) + item.transfers.length * ofTransfer
    : (item?.transfers.length ?? 0) * BYTES_OF_TRANSFER.hidden

const involves = ({ transfers }: ActivityItem, address: Address | undefined) =>
  address === undefined || transfers.some(({ from, to }) => from === address || to === address)

const bytesOfCalls = ({ calls }: ActivityItem): number =>
  (calls ?? []).reduce((sum, { data }) => sum + data.length, 0)

/** Maximum of activities sent to a follower at once; a client that was away longer reads the list. */
const NEWEST = 50
/** Number of remembered keys, which prevent sending an activity twice. */
const REMEMBERED = 1_000

/** Creates the follower of activities, whose pages are read once for all followers of an account. */
function createActivityFollower(list: Activity['list']): Activity['follow'] {
  const share = shareReadings<readonly Explained<ActivityItem>[]>()
  const readNewest = async (accountId: string) =>
    (await list(accountId, { limit: NEWEST, cursor: undefined, hideLikelySpam: false })).items

  return async function* follow(accountId, changes) {
    // The first `next()` subscribes; activities that exist by then are not new.
    let next = changes.next()
    const told = new Set((await readNewest(accountId)).map(keyOf))
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = changes.next()
      const newest = await share(accountId, value.changedAt, () => readNewest(accountId))
      for (const added of newest.toReversed()) {
        if (told.has(keyOf(added))) continue
        told.add(keyOf(added))
        yield added
      }
      for (const oldest of told) {
        if (told.size <= REMEMBERED) break
        told.delete(oldest)
      }
    }
  }
}

const keyOf = ({ chainId, txHash, quoteId, kind }: Explained<ActivityItem>) =>
  kind === 'INCOGNITO_SEND' || txHash === null ? `${quoteId}` : `${chainId}:${txHash}`

/** True if the first comes later in a list of activities, newest first. */
function isAfter(one: ActivityCursor, other: ActivityCursor): boolean {
  return compare(one, other) > 0
}

/** Merges two lists, each newest first. */
function mergePlaces<One extends { place: ActivityCursor }, Other extends { place: ActivityCursor }>(
  some: readonly One[],
  others: readonly Other[],
): (One | Other)[] {
  return [...some, ...others].toSorted((one, other) => compare(one.place, other.place))
}

function compare(one: ActivityCursor, other: ActivityCursor): number {
  return (
    other.blockTime.getTime() - one.blockTime.getTime() ||
    one.chainId - other.chainId ||
    Number(other.blockNumber - one.blockNumber) ||
    other.txIndex - one.txIndex
  )
}
