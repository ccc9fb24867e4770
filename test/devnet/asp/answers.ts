import type { AspChain } from './asp-chain.ts'
import type { AspPool, PoolEvent } from './read-chain.ts'
import type { AspDecision } from './review-deposits.ts'

const MAX_PER_PAGE = 1_000

const isoTime = (seconds: number): string => new Date(seconds * 1_000).toISOString()

/** The root of the approved labels, and the one that counts on chain; they differ while a new root is on its way. */
export function answerRoots({ review, record }: AspChain) {
  const published = record.roots.at(-1)
  return {
    mtRoot: String(review.set.root ?? 0n),
    createdAt: published ? isoTime(published.timestamp) : null,
    onchainMtRoot: published ? String(published.root) : null,
  }
}

/** Leaves of both trees in insertion order; the approved labels are those of all pools of the chain. */
export function answerLeaves({ review, record }: AspChain, { pool }: AspPool) {
  return {
    aspLeaves: review.set.labels.map(String),
    stateTreeLeaves: (record.leaves.get(pool) ?? []).map(String),
  }
}

function describeEvent({ review }: AspChain, event: PoolEvent) {
  return {
    type: event.type,
    createdAt: isoTime(event.timestamp),
    amount: String(event.amount),
    address: event.address,
    txHash: event.txHash,
    timestamp: event.timestamp * 1_000,
    ...(event.label === null ? {} : { label: String(event.label) }),
    ...(event.type === 'deposit'
      ? { precommitmentHash: String(event.precommitment), reviewStatus: review.status(event) }
      : {}),
  }
}

/** A page of events, and which events count: of a review status, of an action. Null: of any. */
export interface EventsQuery {
  page: number
  perPage: number
  status: AspDecision | null
  action: PoolEvent['type'] | null
}

/** The events of a pool, newest first. */
export function answerEvents(chain: AspChain, { pool }: AspPool, query: EventsQuery) {
  const events = chain.record.events
    .filter((event) => event.pool === pool && isWanted(chain, event, query))
    .toReversed()
  return toPage(events, query, (event) => describeEvent(chain, event))
}

/** The events of all pools of all chains, newest first; `eventId` numbers the events that the query asks for. */
export function answerGlobalEvents(chains: readonly AspChain[], query: EventsQuery) {
  const events = chains
    .flatMap((chain) =>
      chain.record.events
        .filter((event) => isWanted(chain, event, query))
        .map((event) => ({ chain, event, eventId: 0 })),
    )
    // Stable: the events of one chain keep their order.
    .toSorted((one, other) => one.event.timestamp - other.event.timestamp)
    .map((entry, place) => ({ ...entry, eventId: place + 1 }))
    .toReversed()
  return toPage(events, query, ({ chain, event, eventId }) => {
    return {
      ...describeEvent(chain, event),
      // The global feed has its own word for an exit.
      type: event.type === 'exit' ? 'ragequit' : event.type,
      eventId,
      pool: namePool(chain, event),
    }
  })
}

const isWanted = ({ review }: AspChain, event: PoolEvent, { status, action }: EventsQuery): boolean =>
  (action === null || event.type === action) &&
  (status === null || (event.type === 'deposit' && review.status(event) === status))

function toPage<Item, Described>(
  events: readonly Item[],
  paging: { page: number; perPage: number },
  describe: (item: Item) => Described,
) {
  const perPage = Math.min(paging.perPage, MAX_PER_PAGE)
  const first = (paging.page - 1) * perPage
  return {
    events: events.slice(first, first + perPage).map(describe),
    page: paging.page,
    perPage,
    total: events.length,
  }
}

function namePool(chain: AspChain, event: PoolEvent) {
  const pool = chain.pools.find((candidate) => candidate.pool === event.pool)
  return {
    scope: String(pool?.scope ?? 0n),
    chainId: chain.chainId,
    chainName: chain.name,
    tokenSymbol: pool?.symbol ?? '',
    tokenAddress: pool?.asset ?? '',
    poolAddress: event.pool,
    denomination: String(pool?.decimals ?? 0),
  }
}

/** The deposits of a pool with these labels, in that order; unknown labels are left out. */
export function answerDeposits(chain: AspChain, { pool }: AspPool, labels: readonly bigint[]) {
  const deposits = new Map(
    chain.record.events
      .filter((event) => event.type === 'deposit' && event.pool === pool)
      .map((event) => [event.label, event]),
  )
  return labels.flatMap((label) => {
    const deposit = deposits.get(label)
    return deposit ? [describeEvent(chain, deposit)] : []
  })
}
