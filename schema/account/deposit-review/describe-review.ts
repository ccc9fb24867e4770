import type { DepositFact } from '../../../relayer/account/deposit-review/review-facts.ts'
import type {
  ReviewAsset,
  ReviewItem,
  ReviewPage,
} from '../../../relayer/account/deposit-review/deposit-review.ts'
import { summarizePricing } from '../../../relayer/market/prices/summarize-pricing.ts'
import { usdToNumber } from '../../../relayer/market/prices/usd.ts'
import type { TrustedReceives } from '../../../relayer/account/provenance/provenance.ts'
import type { AnswerOf } from '../../define/encode.ts'
import { describeValue } from '../../market/describe-balance.ts'
import { describeSource } from '../provenance/describe-source.ts'
import type { reviewPage } from './model.ts'
import { z } from 'zod'
import { cursorOf } from '../../define/cursor.ts'
import { address, instant } from '../../define/scalars.ts'

const newestOf = (deposits: readonly DepositFact[]) =>
  deposits.toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())[0] ?? null

const describeTrusted = ({ count, types }: TrustedReceives) => ({
  trustedReceiveActionCount: count,
  trustedReceiveActionTypes: types,
})

function describeAsset({ facts, token, price, ...asset }: ReviewAsset) {
  const held = facts.available + facts.locked
  return {
    id: `${facts.address}-${facts.chainId}-${facts.token}`,
    address: facts.address,
    reviewStatus: asset.status,
    statusReason: asset.reason,
    chainId: facts.chainId,
    chainName: asset.chainName,
    tokenAddress: facts.token,
    tokenSymbol: token.symbol,
    decimals: token.decimals,
    logoUrl: token.logoUri,
    amount: held,
    available: facts.available,
    pending: facts.locked,
    receiveCount: facts.receiveCount,
    rawReceiveCount: facts.rawReceiveCount,
    ...describeTrusted(asset.receives),
    lastReceivedAt: facts.lastReceivedAt,
    receiveTxHash: facts.receiveTxHash,
    usdAmount: describeValue(held, token.decimals, price),
    pricePerToken: price && usdToNumber(price.usd),
    poolMinDeposit: asset.poolMinDeposit,
    canConvert: asset.convertUnavailableReason === null,
    convertUnavailableReason: asset.convertUnavailableReason,
    poolDeposit: newestOf(facts.deposits),
  }
}

function describeItem(item: ReviewItem) {
  const assets = item.assets.map(describeAsset)
  const { totalUsd } = summarizePricing(
    item.assets.map(({ facts, token: { decimals }, price }) => ({
      amount: facts.available + facts.locked,
      decimals,
      price,
    })),
  )
  return {
    id: item.address,
    address: item.address,
    reviewStatus: item.status,
    statusReason: item.reason,
    provenanceSources: item.sources.map((source) => describeSource(source)),
    assets,
    primaryAsset: assets[0] ?? null,
    receiveCount: assets.reduce((sum, { receiveCount }) => sum + receiveCount, 0),
    rawReceiveCount: item.rawReceiveCount,
    ...describeTrusted(item.receives),
    assetCount: assets.length,
    chainCount: new Set(assets.map(({ chainId }) => chainId)).size,
    lastReceivedAt: item.lastReceivedAt,
    usdAmount: totalUsd === null ? null : usdToNumber(totalUsd),
    canConvert: assets.some(({ canConvert }) => canConvert),
  }
}

/** A page of the review with the member names of the contract. */
export function describeReview(page: ReviewPage, limit: number): AnswerOf<typeof reviewPage> {
  return {
    snapshotId: page.snapshotId,
    items: page.items.map(describeItem),
    counts: page.counts,
    pageInfo: {
      nextCursor: page.nextCursor && reviewCursor.encode(page.nextCursor),
      hasMore: page.nextCursor !== null,
      limit,
    },
    unseenNeedsReview: page.unseenNeedsReview,
  }
}

const place = z.codec(
  z.tuple([instant, address]),
  z.custom<{ lastReceivedAt: Date; address: `0x${string}` }>(),
  {
    decode: ([lastReceivedAt, at]) => ({ lastReceivedAt, address: at }),
    encode: ({ lastReceivedAt, address: at }) => [lastReceivedAt, at] as [Date, `0x${string}`],
  },
)

/** Position of the last item of a page of the review. */
export const reviewCursor = cursorOf(z.string().min(1).max(500), place)
