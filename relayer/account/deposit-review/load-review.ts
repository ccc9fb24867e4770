import type { DatabasePool } from 'slonik'
import { zeroAddress, type Address } from 'viem'
import { listSkips, readSeenBlocks } from '../../../db/account/deposit-review/review-marks.ts'
import {
  listReceipts,
  listReviewDeposits,
  listReviewHoldings,
} from '../../../db/account/deposit-review/review-rows.ts'
import { listAccountTokens } from '../../../db/market/tokens/account-tokens.ts'
import type { ChainConfig } from '../../chain/nodes/config.ts'
import type { Price, Prices } from '../../market/prices/prices.ts'
import { valueHolding } from '../../market/prices/usd.ts'
import { keyOf, tokenIdOf, type TokenId, type TokenKey } from '../../market/tokens/token-id.ts'
import type { Token, Tokens } from '../../market/tokens/tokens.ts'
import type { SupportedPool, SupportedPools } from '../../pool/state/supported-pools.ts'
import { poolStateRefreshing } from '../../pool/errors.ts'
import { leastTrusted } from '../provenance/trusted-receive.ts'
import { listShownTokens } from '../balances/list-shown-tokens.ts'
import type { ReviewAsset, ReviewItem } from './deposit-review.ts'
import { judgeConversion } from './judge-conversion.ts'
import { judgeAddress, judgeAsset } from './judge-review.ts'
import type { AssetFacts, DepositFact } from './review-facts.ts'

/** Gas of a conversion with room: approve, deposit and delegation (411,524 measured) · 1.25 + 8 · 13,000 for the leaf. */
const CONVERSION_GAS = 618_405n

/** What a review is read from. */
export interface ReviewSources {
  database: DatabasePool
  chains: readonly ChainConfig[]
  tokens: Tokens
  prices: Prices
  pools: Pick<SupportedPools, 'list'>
  /** Wei for each gas; null while it is not known. */
  gasPriceOf(chainId: number): bigint | null
}

/** An address as it is now; the status is null where nothing of it is in review. */
export type LoadedItem = Omit<ReviewItem, 'status'> & { status: ReviewItem['status'] | null }

/** Reads every address of an account that had a trusted receipt, and judges it by what is indexed now. */
export async function loadReview(
  sources: ReviewSources,
  accountId: string,
): Promise<ReadonlyMap<Address, LoadedItem>> {
  const { database, tokens } = sources
  const [shown, watched, holdings, deposits, skips, seen, pools] = await Promise.all([
    listShownTokens(sources, accountId),
    listAccountTokens(database, accountId),
    listReviewHoldings(database, accountId),
    listReviewDeposits(database, accountId),
    listSkips(database, accountId),
    readSeenBlocks(database, accountId),
    // While the pools are being read, what is known of the addresses is still told.
    sources.pools.list(accountId).catch((error: unknown) => {
      if (poolStateRefreshing.matches(error)) return null
      throw error
    }),
  ])
  const watchedKeys = new Set(
    watched.map(({ chainId, address }) => keyOf({ chainId, address: address as Address })),
  )
  const natives = sources.chains.map(({ chainId }): TokenId => ({ chainId, address: zeroAddress }))
  const [known, worth] = await Promise.all([
    tokens.learnMany(shown.tokens),
    sources.prices.read([...shown.tokens, ...natives]),
  ])
  const trusted = shown.tokens.flatMap((id) => {
    const key = keyOf(id)
    const least = leastTrusted({
      token: known.get(key) ?? null,
      price: worth.get(key) ?? null,
      isWatched: watchedKeys.has(key),
    })
    return least ? [{ chainId: id.chainId, token: id.address, least }] : []
  })
  const receipts = await listReceipts(database, accountId, trusted)
  const held = new Map(holdings.map((one) => [`${one.address} ${one.chainId}:${one.token}`, one]))
  const deposited = Map.groupBy(
    deposits,
    ({ address, chainId, asset }) => `${address} ${keyOf(tokenIdOf(chainId, asset))}`,
  )
  const skipOf = new Map(skips.map((skip) => [skip.address, skip]))
  const describe = createDescriber(sources, { known, worth, pools })

  const items = new Map<Address, LoadedItem>()
  for (const [address, rows] of Map.groupBy(receipts, (row) => row.address)) {
    const facts = rows.flatMap((row): AssetFacts[] => {
      const { chainId, token, lastReceivedAt, lastBlock } = row
      if (chainId === null || token === null || !lastReceivedAt || lastBlock === null) return []
      const key = `${address} ${keyOf({ chainId, address: token })}`
      const { available = 0n, locked = 0n } = held.get(key) ?? {}
      const made = (deposited.get(key) ?? []).map(({ label, ...one }): DepositFact => ({
        ...one,
        commitmentId: label === null ? null : String(label),
      }))
      return [{ ...row, chainId, token, lastReceivedAt, lastBlock, available, locked, deposits: made }]
    })
    if (facts.length === 0) continue
    const lastReceivedAt = new Date(Math.max(...facts.map((one) => one.lastReceivedAt.getTime())))
    const assets = facts.flatMap((one) => describe(one) ?? []).toSorted(compareAssets)
    const judged = judgeAddress(assets, lastReceivedAt, skipOf.get(address) ?? null)
    items.set(address, {
      address,
      status: judged?.status ?? null,
      reason: judged?.reason ?? null,
      assets,
      rawReceiveCount: rows.reduce((sum, { rawReceiveCount }) => sum + rawReceiveCount, 0),
      lastReceivedAt,
      isUnseen:
        judged?.status === 'needsReview' &&
        assets.some(({ facts: { chainId, lastBlock } }) => lastBlock > (seen.get(chainId) ?? -1n)),
    })
  }
  return items
}

interface Market {
  known: ReadonlyMap<TokenKey, Token>
  worth: ReadonlyMap<TokenKey, Price | null>
  /** Null while they are being read. */
  pools: readonly SupportedPool[] | null
}

function createDescriber({ chains, gasPriceOf }: ReviewSources, { known, worth, pools }: Market) {
  const chainOf = new Map(chains.map((chain) => [chain.chainId, chain]))
  const poolOf = new Map(pools?.map((pool) => [keyOf({ chainId: pool.chainId, address: pool.token }), pool]))

  /** In the token's smallest unit; null where a price or the gas price is not known. */
  function networkFeeOf(token: Token, price: Price | null): bigint | null {
    const gasPrice = gasPriceOf(token.chainId)
    if (gasPrice === null) return null
    const wei = gasPrice * CONVERSION_GAS
    if (token.address === zeroAddress) return wei
    const native = worth.get(keyOf({ chainId: token.chainId, address: zeroAddress }))
    return price && native
      ? (wei * native.usd * 10n ** BigInt(token.decimals)) / (price.usd * 10n ** 18n)
      : null
  }

  return (facts: AssetFacts): ReviewAsset | null => {
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
        networkFee: networkFeeOf(token, price),
      }),
    }
  }
}

const RANK = { inProgress: 0, needsReview: 1, done: 2 }

const worthOf = ({ facts, token, price }: ReviewAsset) =>
  valueHolding(facts.available + facts.locked, token.decimals, price) ?? -1n

/** The asset that asks for the most first, then the most valuable. */
function compareAssets(a: ReviewAsset, b: ReviewAsset): number {
  if (RANK[a.status] !== RANK[b.status]) return RANK[a.status] - RANK[b.status]
  const [worthA, worthB] = [worthOf(a), worthOf(b)]
  return worthA < worthB ? 1 : worthA > worthB ? -1 : 0
}
