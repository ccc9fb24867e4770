import type { z } from 'zod'
import type { TokenBalance } from '../../relayer/holdings/tokens/watched-tokens.ts'
import type {
  CatalogPage,
  DescribedToken,
  PopularTokens,
  PriceChange,
  TokenExtra,
  TokenMarket,
  TokenSource,
} from '../../relayer/holdings/tokens/tokens.ts'
import { usdToNumber, valueInUsd } from '../../relayer/prices/usd.ts'
import type * as model from './model.ts'

type Wire<Shape extends z.ZodType> = z.input<Shape>

export const extrasOf = (include: readonly TokenExtra[] | undefined): ReadonlySet<TokenExtra> =>
  new Set(include)

export function tokenToWire({ token, market, sources }: DescribedToken): Wire<typeof model.token> {
  return {
    address: token.address,
    symbol: token.symbol,
    name: token.name,
    decimals: token.decimals,
    chainId: token.chainId,
    ...(token.logoUri !== null && { logoURI: token.logoUri }),
    isPartnerToken: token.isPartner,
    visibility: token.visibility,
    metadataSource: token.metadataSource,
    ...(market !== undefined && { market: market && marketToWire(market) }),
    ...(sources && { sources: sources.map(sourceToWire) }),
  }
}

export function catalogToWire(page: CatalogPage): Wire<typeof model.tokenCatalog> {
  return {
    tokens: page.tokens.map(tokenToWire),
    pinnedSymbols: [...page.pinnedSymbols],
    testnetToMainnet: Object.fromEntries(page.testnetToMainnet),
    nextCursor: page.nextCursor,
  }
}

export function popularToWire({ source, tokens }: PopularTokens): Wire<typeof model.popularTokens> {
  return {
    source,
    tokens: tokens.map(({ token, change6h, change24h }) => ({
      ...tokenToWire({ token }),
      change6h: change6h && changeToWire(change6h),
      change24h: change24h && changeToWire(change24h),
    })),
  }
}

export function balanceToWire(balance: TokenBalance): Wire<typeof model.balanceEntry> {
  const { token, chainName, visible, pooled, price } = balance
  const amount = visible.available + visible.pending
  const usdAmount = amount === 0n ? 0 : price && usdToNumber(valueInUsd(amount, token.decimals, price))
  return {
    chainId: token.chainId,
    chainName,
    token: token.address,
    tokenSymbol: token.symbol,
    decimals: token.decimals,
    logoUrl: token.logoUri,
    visible: { available: String(visible.available), pending: String(visible.pending) },
    incognito: {
      pooled: {
        available: String(pooled.available),
        pendingApproval: String(pooled.pendingApproval),
        pendingWithdrawal: String(pooled.pendingWithdrawal),
        declined: String(pooled.declined),
      },
    },
    usdAmount,
    pricePerToken: price && usdToNumber(price.usd),
    priceStale: price?.stale ?? false,
    priceObservedAt: price?.observedAt.toISOString() ?? null,
    spam: token.spam,
  }
}

function sourceToWire(source: TokenSource): Wire<typeof model.tokenSource> {
  const { name, symbol, decimals, logoUrl, externalUrl } = source
  return {
    source: source.source,
    sourceId: source.sourceId,
    firstSeenAt: source.firstSeenAt.toISOString(),
    lastSeenAt: source.lastSeenAt.toISOString(),
    ...(name !== null && { name }),
    ...(symbol !== null && { symbol }),
    ...(logoUrl !== null && { logoUrl }),
    ...(externalUrl !== null && { externalUrl }),
    ...(decimals !== null && { decimals }),
  }
}

function marketToWire(market: TokenMarket): Wire<typeof model.tokenMarket> {
  const { marketCapRank, athDate, atlDate, providerUpdatedAt } = market
  return {
    provider: market.provider,
    providerAssetId: market.providerAssetId,
    vsCurrency: market.vsCurrency,
    ...market.figures,
    ...(marketCapRank !== null && { marketCapRank }),
    ...(athDate !== null && { athDate }),
    ...(atlDate !== null && { atlDate }),
    ...(providerUpdatedAt && { providerUpdatedAt: providerUpdatedAt.toISOString() }),
    priceObservedAt: market.priceObservedAt.toISOString(),
    marketObservedAt: market.marketObservedAt.toISOString(),
    fetchedAt: market.fetchedAt.toISOString(),
    stale: market.stale,
  }
}

const changeToWire = ({ percentage, observedAt }: PriceChange) => ({
  percentage,
  observedAt: observedAt.toISOString(),
})
