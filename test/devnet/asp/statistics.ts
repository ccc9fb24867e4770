import type { AspChain } from './asp-chain.ts'
import type { AspPool, PoolEvent } from './read-chain.ts'

const DAY_SECONDS = 86_400

const valueOf = (events: readonly PoolEvent[]): bigint =>
  events.reduce((total, { amount }) => total + amount, 0n)

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
  return {
    scope: String(scope),
    chainId: chain.chainId,
    poolAddress: pool,
    tokenSymbol: symbol,
    tokenAddress: asset,
    totalInPoolValue: String(valueOf(deposits) - valueOf(left)),
    totalInPoolValueUsd: null,
    totalDepositsValue: String(valueOf(deposits)),
    totalDepositsValueUsd: null,
    totalDepositsCount: deposits.length,
    acceptedDepositsValue: String(valueOf(accepted)),
    acceptedDepositsValueUsd: null,
    acceptedDepositsCount: accepted.length,
    pendingDepositsValue: String(valueOf(pending)),
    pendingDepositsValueUsd: null,
    pendingDepositsCount: pending.length,
    growth24h: null,
    pendingGrowth24h: null,
  }
}

/** One pool's totals, of all time and of the last 24 hours; amounts in the asset's smallest unit, dollars are null. */
export function answerPoolStatistics(chain: AspChain, { pool, scope, asset, symbol, decimals }: AspPool) {
  const events = chain.record.events.filter((event) => event.pool === pool)
  const since = Math.floor(Date.now() / 1_000) - DAY_SECONDS
  const tvl = events.reduce((sum, { type, amount }) => (type === 'deposit' ? sum + amount : sum - amount), 0n)
  return {
    pool: {
      scope: String(scope),
      chainId: String(chain.chainId),
      tokenSymbol: symbol,
      tokenAddress: asset,
      tokenDecimals: decimals,
      allTime: sumUp(events, tvl),
      last24h: sumUp(
        events.filter(({ timestamp }) => timestamp >= since),
        tvl,
      ),
    },
    cacheTimestamp: new Date().toISOString(),
  }
}

function sumUp(events: readonly PoolEvent[], tvl: bigint) {
  const deposits = events.filter(({ type }) => type === 'deposit')
  const withdrawals = events.filter(({ type }) => type === 'withdrawal')
  const deposited = valueOf(deposits)
  return {
    tvl: String(tvl),
    tvlUsd: null,
    avgDepositSize: String(deposits.length === 0 ? 0n : deposited / BigInt(deposits.length)),
    avgDepositSizeUsd: null,
    totalDepositsCount: deposits.length,
    totalDepositsValue: String(deposited),
    totalDepositsValueUsd: null,
    totalWithdrawalsCount: withdrawals.length,
    totalWithdrawalsValue: String(valueOf(withdrawals)),
    totalWithdrawalsValueUsd: null,
  }
}

/** How many of a pool's deposits could fund a withdrawal of this amount: approved ones of at least that value. */
export function answerDepositsLargerThan(chain: AspChain, { pool }: AspPool, amount: bigint) {
  const deposits = chain.record.events.filter((event) => event.type === 'deposit' && event.pool === pool)
  const eligible = deposits.filter(
    (deposit) => deposit.amount >= amount && chain.review.status(deposit) === 'approved',
  )
  return {
    eligibleDeposits: eligible.length,
    totalDeposits: deposits.length,
    percentage: deposits.length === 0 ? 0 : Math.floor((100 * eligible.length) / deposits.length),
  }
}
