import type { AspChain } from './asp-chain.ts'
import type { AspPool, PoolEvent } from './read-chain.ts'

const MAX_PER_PAGE = 1_000

const isoTime = (seconds: number): string => new Date(seconds * 1_000).toISOString()
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

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

/** What happened in a pool, newest first. */
export function answerEvents(chain: AspChain, { pool }: AspPool, paging: { page: number; perPage: number }) {
  const perPage = Math.min(paging.perPage, MAX_PER_PAGE)
  const events = chain.record.events.filter((event) => event.pool === pool).toReversed()
  const first = (paging.page - 1) * perPage
  return {
    events: events.slice(first, first + perPage).map((event) => describeEvent(chain, event)),
    page: paging.page,
    perPage,
    total: events.length,
  }
}

/** The deposits of a pool with these labels, in the order asked for; unknown labels are left out. */
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

/** Totals of every pool of the chain; amounts in the asset's smallest unit. There is no price and no history here: such members are null. */
export function answerStats(chain: AspChain) {
  return { pools: chain.pools.map((pool) => describePool(chain, pool)) }
}

function describePool(chain: AspChain, { pool, scope, asset, symbol }: AspPool) {
  const events = chain.record.events.filter((event) => event.pool === pool)
  const deposits = events.filter(({ type }) => type === 'deposit')
  const left = events.filter(({ type }) => type !== 'deposit')
  const accepted = deposits.filter((deposit) => chain.review.status(deposit) === 'approved')
  const pending = deposits.filter((deposit) => chain.review.status(deposit) === 'pending')
  const value = (some: readonly PoolEvent[]) => sum(some.map(({ amount }) => amount))
  return {
    scope: String(scope),
    chainId: chain.chainId,
    poolAddress: pool,
    tokenSymbol: symbol,
    tokenAddress: asset,
    totalInPoolValue: String(value(deposits) - value(left)),
    totalInPoolValueUsd: null,
    totalDepositsValue: String(value(deposits)),
    totalDepositsValueUsd: null,
    totalDepositsCount: deposits.length,
    acceptedDepositsValue: String(value(accepted)),
    acceptedDepositsValueUsd: null,
    acceptedDepositsCount: accepted.length,
    pendingDepositsValue: String(value(pending)),
    pendingDepositsValueUsd: null,
    pendingDepositsCount: pending.length,
    growth24h: null,
    pendingGrowth24h: null,
  }
}
