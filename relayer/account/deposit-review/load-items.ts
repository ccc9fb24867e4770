import { zeroAddress, type Address } from 'viem'
import { listReviewDeposits } from '../../../db/account/deposit-review/review-deposits.ts'
import { listReceipts, listReviewHoldings } from '../../../db/account/deposit-review/review-rows.ts'
import { valueHolding } from '../../market/prices/usd.ts'
import { keyOf } from '../../market/tokens/token-id.ts'
import type { SupportedPool, SupportedPools } from '../../pool/state/supported-pools.ts'
import { poolStateRefreshing } from '../../pool/errors.ts'
import type { ReviewAsset, ReviewItem } from './deposit-review.ts'
import { judgeAsset, judgeConversion } from './judge-review.ts'
import type { MarketSources, ReviewMarket } from './load-market.ts'
import type { AssetFacts, DepositFact, ConversionCosts, EstimateDeposit } from './review-facts.ts'

/** Sources of the items of a review. */
export interface ReviewItemSources extends MarketSources {
  pools: SupportedPools
  costs: ConversionCosts
}

/** An asset without its receives. */
export type LoadedAsset = Omit<ReviewAsset, 'receives'>

/** An address at present, in any status, without the sources of its funds. */
export interface LoadedItem extends Omit<ReviewItem, 'status' | 'assets' | 'sources' | 'receives'> {
  assets: readonly LoadedAsset[]
}

/**
 * Reads addresses of an account that had a trusted receipt, and judges their assets by the present index. An address
 * without one, or of another account, is absent. The number of queries does not grow with the addresses.
 */
export async function loadItems(
  sources: ReviewItemSources,
  accountId: string,
  addresses: readonly Address[],
  market: ReviewMarket,
): Promise<ReadonlyMap<Address, LoadedItem>> {
  if (addresses.length === 0) return new Map()
  const { database } = sources
  const [receipts, holdings, deposits, estimate, pools] = await Promise.all([
    listReceipts(database, accountId, addresses, market.trusted),
    listReviewHoldings(database, accountId, addresses),
    listReviewDeposits(database, accountId, addresses),
    sources.costs.read(accountId),
    // A pool refresh must not hide the rest of the review.
    sources.pools.list(accountId).catch((error: unknown) => {
      if (poolStateRefreshing.matches(error)) return null
      throw error
    }),
  ])
  const held = new Map(holdings.map((one) => [placeOf(one), one]))
  const deposited = Map.groupBy(deposits, placeOf)
  const describe = createDescriber(sources, market, pools, estimate)

  const items = new Map<Address, LoadedItem>()
  for (const [address, rows] of Map.groupBy(receipts, (row) => row.address)) {
    const facts = rows.flatMap((row): AssetFacts[] => {
      const { chainId, token, lastReceivedAt } = row
      if (chainId === null || token === null || !lastReceivedAt) return []
      const place = placeOf({ address, chainId, token })
      const { available = 0n, locked = 0n } = held.get(place) ?? {}
      const made = (deposited.get(place) ?? []).map(({ label, ...one }): DepositFact => ({
        ...one,
        commitmentId: label === null ? null : String(label),
      }))
      return [{ ...row, chainId, token, lastReceivedAt, available, locked, deposits: made }]
    })
    if (facts.length === 0) continue
    const assets = facts.flatMap((one) => describe(one) ?? []).toSorted(compareAssets)
    items.set(address, {
      address,
      reason: assets.find(({ status }) => status === 'needsReview')?.reason ?? null,
      assets,
      rawReceiveCount: rows.reduce((sum, { rawReceiveCount }) => sum + rawReceiveCount, 0),
      lastReceivedAt: new Date(Math.max(...facts.map((one) => one.lastReceivedAt.getTime()))),
    })
  }
  return items
}

const placeOf = ({ address, chainId, token }: { address: Address; chainId: number; token: Address }) =>
  `${address} ${chainId} ${token}`

function createDescriber(
  { chains }: ReviewItemSources,
  { known, worth }: ReviewMarket,
  pools: readonly SupportedPool[] | null,
  estimate: EstimateDeposit,
) {
  const chainOf = new Map(chains.map((chain) => [chain.chainId, chain]))
  const poolOf = new Map(pools?.map((pool) => [keyOf({ chainId: pool.chainId, address: pool.token }), pool]))

  return (facts: AssetFacts): LoadedAsset | null => {
    const review = judgeAsset(facts)
    const key = keyOf({ chainId: facts.chainId, address: facts.token })
    const token = known.get(key)
    const chain = chainOf.get(facts.chainId)
    if (!review || !token || !chain) return null
    const price = worth.get(key) ?? null
    const pool = poolOf.get(key)
    return {
      ...review,
      facts,
      token,
      chainName: chain.name,
      price,
      poolMinDeposit: pool?.minDeposit ?? null,
      convertUnavailableReason: judgeConversion({
        isSpam: token.spam,
        isSending: chain.sending !== undefined,
        pool: pools === null ? 'refreshing' : (pool ?? null),
        available: facts.available,
        locked: facts.locked,
        deposited: estimate({
          token,
          available: facts.available,
          tokenUsd: price?.usd ?? null,
          nativeUsd: worth.get(keyOf({ chainId: facts.chainId, address: zeroAddress }))?.usd ?? null,
        }),
      }),
    }
  }
}

const RANK = { inProgress: 0, needsReview: 1, done: 2 }

const worthOf = ({ facts, token, price }: LoadedAsset) =>
  valueHolding(facts.available + facts.locked, token.decimals, price) ?? -1n

/** The most urgent asset first, then the most valuable. */
function compareAssets(a: LoadedAsset, b: LoadedAsset): number {
  if (RANK[a.status] !== RANK[b.status]) return RANK[a.status] - RANK[b.status]
  const [worthA, worthB] = [worthOf(a), worthOf(b)]
  return worthA < worthB ? 1 : worthA > worthB ? -1 : 0
}
