import type { z } from 'zod'
import type {
  CatalogPage,
  DescribedToken,
  PopularTokens,
  PriceChange,
  TokenExtra,
  TokenMarket,
  TokenSource,
} from '../../../relayer/market/tokens/tokens.ts'
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
      ...(change6h && { change6h: changeToWire(change6h) }),
      ...(change24h && { change24h: changeToWire(change24h) }),
    })),
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
