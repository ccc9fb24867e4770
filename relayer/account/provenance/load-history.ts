import type { DatabasePool } from 'slonik'
import { zeroAddress, type Address } from 'viem'
import { parseAddressFacts, type AddressFacts } from '../../../db/account/provenance/address-facts.ts'
import {
  parseMovement,
  reachMovements,
  type ReachedMovements,
} from '../../../db/account/provenance/reach-movements.ts'
import { parseTransactionFact } from '../../../db/account/provenance/transaction-facts.ts'
import type { DescribeApp } from '../addresses/addresses.ts'
import { createSlices, mapInSlices } from '../../concurrency/next-slice.ts'
import type { Prices } from '../../market/prices/prices.ts'
import { keyOf, type TokenId, type TokenKey } from '../../market/tokens/token-id.ts'
import type { AccountVersion } from '../../../db/account/changes/account-version.ts'
import type { Tokens } from '../../market/tokens/tokens.ts'
import { buildTransactions, type BuiltTransaction } from './build-transactions.ts'
import type { Obstacles, UnresolvedReason } from './explain-origin.ts'
import type { JudgedTokens, LeastTrusted } from './judged-tokens.ts'
import type { HoldingId, KnownTokens, PrivateOrigin, Source } from './provenance.ts'
import { createTrace, type Trace } from './trace-movements.ts'
import { leastTrusted } from './trusted-receive.ts'
import type { MovingTransaction } from './movements.ts'

const NOTHING_KNOWN: KnownTokens = { tokens: new Map(), prices: new Map() }

/** Sources of histories. */
export interface HistorySources {
  database: DatabasePool
  tokens: Tokens
  prices: Prices
  /** Returns the kind of activity of a kind of quote. */
  actionOf(kind: string): string
  describeApp: DescribeApp
}

/** Facts about an address, with the owner's tag and apps. */
export type AddressKnowledge = Omit<AddressFacts, 'apps'> & Pick<Source, 'apps'>

/** The traced history of some addresses and of all that they can be joined with. */
export interface History {
  /** The version of the account's facts. */
  version: AccountVersion
  /** Tokens that the account added to its list. */
  watched: readonly TokenId[]
  trace: Trace
  facts: ReadonlyMap<Address, AddressKnowledge>
  obstaclesOf(holding: HoldingId): Obstacles
  /** True if the address, or one that it can be joined with, has more history than was traced. */
  isCrowded(address: Address): boolean
  privateOriginOf(payment: { id: string; to: Address; token: Address }): PrivateOrigin | null
}

/**
 * Reads the history of some addresses of an account from the indexer's tables, and traces it. The result is not
 * stored, so a reorg needs no undo.
 *
 * @param asked Tokens whose holdings are requested; their metadata and prices may be fetched from outside.
 * @param judged Records how tokens were judged.
 * @param given Tokens and prices that need not be read again.
 */
export async function loadHistory(
  sources: HistorySources,
  accountId: string,
  addresses: readonly Address[],
  asked: readonly TokenId[],
  judged: JudgedTokens,
  given: KnownTokens = NOTHING_KNOWN,
): Promise<History> {
  const { database, actionOf } = sources
  const reached = await reachMovements(database, accountId, addresses, [
    ...new Set(asked.map(({ address }) => address)),
  ])
  const paced = createSlices()
  const readAll = <Row, Read>(rows: Iterable<Row>, read: (row: Row) => Read): Promise<Read[]> =>
    mapInSlices(rows, read, paced)
  const movements = await readAll(reached.movements, parseMovement)
  const moved = movements.flatMap(([chainId, , , , , , , address, tokenId]) =>
    tokenId === null ? [{ chainId, address }] : [],
  )
  const least = await readLeastTrusted(sources, { asked, moved, watched: reached.watched }, given)
  const own = new Set(reached.addresses)
  const isOwn = (address: Address) => own.has(address)
  const told = await readAll(reached.transactionFacts, parseTransactionFact)
  const built = await readAll(
    buildTransactions(movements, told, { actionOf, isOwn, ...judged.by(least) }),
    (transaction) => transaction,
  )
  const facts = new Map(
    await readAll(reached.addressFacts, (row): [Address, AddressKnowledge] => {
      const one = parseAddressFacts(row)
      const apps = one.apps.map(({ origin, lastUsedAt }) => ({ ...sources.describeApp(origin), lastUsedAt }))
      return [one.address, { ...one, apps }]
    }),
  )
  const trace = createTrace(isOwn)
  await readAll(orderTransactions(built), (one) => trace.add(one))
  return {
    version: reached.version,
    watched: reached.watched,
    trace,
    facts,
    ...createObstacles(reached, trace, facts),
    privateOriginOf: indexPrivateOrigins(built),
  }
}

/**
 * Returns the minimum amount of each token that counts as solicited; tokens without metadata are missing.
 *
 * @param of `asked`: requested tokens, which may be fetched from outside. `moved`: all moved tokens. `watched`:
 * tokens that the account added.
 */
export async function readLeastTrusted(
  { tokens, prices }: HistorySources,
  { asked, moved, watched }: Record<'asked' | 'moved' | 'watched', readonly TokenId[]>,
  given: KnownTokens = NOTHING_KNOWN,
): Promise<LeastTrusted> {
  const isGiven = (id: TokenId) => given.tokens.has(keyOf(id))
  const wanted = new Map(asked.flatMap((id) => (isGiven(id) ? [] : [[keyOf(id), id]])))
  const others = new Map<TokenKey, TokenId>()
  for (const id of moved) if (!wanted.has(keyOf(id)) && !isGiven(id)) others.set(keyOf(id), id)
  const watchedKeys = new Set(watched.map(keyOf))
  const [learnt, worth] = await Promise.all([
    wanted.size > 0 ? tokens.learnMany([...wanted.values()]) : new Map<TokenKey, never>(),
    wanted.size + others.size > 0
      ? prices.read([...wanted.values(), ...others.values()])
      : new Map<TokenKey, never>(),
  ])
  // The rest is not looked up, because anyone can send thousands of such tokens.
  const worthy = [...others].flatMap(([key, id]) =>
    worth.get(key) || watchedKeys.has(key) || tokens.isListed(id) ? [id] : [],
  )
  const found = worthy.length > 0 ? await tokens.findMany(worthy) : new Map<TokenKey, never>()
  return new Map(
    [...given.tokens, ...learnt, ...found].map(([key, token]) => [
      key,
      leastTrusted({
        token,
        price: worth.get(key) ?? given.prices.get(key) ?? null,
        isWatched: watchedKeys.has(key),
      }),
    ]),
  )
}

function createObstacles(
  { crowded, isCut }: ReachedMovements,
  trace: Trace,
  facts: ReadonlyMap<Address, AddressKnowledge>,
): Pick<History, 'obstaclesOf' | 'isCrowded'> {
  const tooMany = new Set(crowded)
  const known = new Map<readonly Address[], { incomplete: ReadonlySet<number>; isCrowded: boolean }>()
  /** Cached: a component may have many addresses. */
  const about = (joined: readonly Address[]) => {
    const found = known.get(joined) ?? {
      incomplete: new Set(joined.flatMap((one) => facts.get(one)?.incomplete ?? [])),
      isCrowded: isCut || joined.some((one) => tooMany.has(one)),
    }
    known.set(joined, found)
    return found
  }
  const obstaclesOf: History['obstaclesOf'] = ({ chainId, address, token }) => {
    const { incomplete, isCrowded } = about(trace.joined(address))
    const own = facts.get(address)
    const holding = own?.holdings.find((one) => one.chainId === chainId && one.token === token)
    const funding: UnresolvedReason[] = [
      ...(isCrowded ? (['too_much_history'] as const) : []),
      ...(incomplete.has(chainId) ? (['history_incomplete'] as const) : []),
      ...(token === zeroAddress && own?.untraced.includes(chainId) ? (['untraced_native'] as const) : []),
      ...(holding?.isStale ? (['holding_stale'] as const) : []),
    ]
    return { funding, association: incomplete.size > 0 ? ['history_incomplete'] : [] }
  }
  return { obstaclesOf, isCrowded: (address) => about(trace.joined(address)).isCrowded }
}

function indexPrivateOrigins(transactions: readonly BuiltTransaction[]): History['privateOriginOf'] {
  const origins = new Map(
    transactions.flatMap(({ id, privatePayments }) =>
      privatePayments.map(({ to, token, origin }) => [`${id}:${to}:${token}`, origin] as const),
    ),
  )
  return ({ id, to, token }) => origins.get(`${id}:${to}:${token}`) ?? null
}

/**
 * Orders the transactions of several chains for tracing. Each chain keeps its own order, and chains are merged by
 * time. A departure comes before its delivery on another chain, whatever their clocks say.
 *
 * @param transactions Sorted by time, with each chain in its own order.
 */
function orderTransactions(transactions: readonly MovingTransaction[]): readonly MovingTransaction[] {
  const places = new Map(transactions.map((transaction, place) => [transaction, place]))
  const placeOf = (transaction: MovingTransaction) => places.get(transaction) ?? 0
  const queues = [...Map.groupBy(transactions, ({ chainId }) => chainId).values()].map((all) => ({
    all,
    next: 0,
  }))
  const expected = new Set(transactions.flatMap(({ departs }) => departs))
  const isReady = ({ departs, delivers }: MovingTransaction) =>
    delivers.every(({ orderId }) => departs.includes(orderId) || !expected.has(orderId))

  const ordered: MovingTransaction[] = []
  while (ordered.length < transactions.length) {
    const heads = queues
      .flatMap((queue) => {
        const head = queue.all[queue.next]
        return head ? [{ queue, head }] : []
      })
      .toSorted((a, b) => placeOf(a.head) - placeOf(b.head))
    // Chains wait for each other in a circle only if one of them is wrong; then time decides.
    const chosen = heads.find(({ head }) => isReady(head)) ?? heads[0]
    if (!chosen) break
    chosen.queue.next += 1
    ordered.push(chosen.head)
    for (const orderId of chosen.head.departs) expected.delete(orderId)
  }
  return ordered
}
