import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { Chains } from '../chain/nodes/chain.ts'
import type { PricesConfig } from './prices/config.ts'
import { openPrices } from './prices/open-prices.ts'
import type { Prices } from './prices/prices.ts'
import type { TokensConfig } from './tokens/config.ts'
import { createTokens } from './tokens/create-tokens.ts'
import { type TokenId, keyOf, tokenIdOf, type TokenKey } from './tokens/token-id.ts'
import type { Tokens } from './tokens/tokens.ts'
import type { ChainConfig } from '../chain/nodes/config.ts'

/**
 * The catalogue and the prices, which depend on each other: prices are read for known tokens, and price providers
 * know tokens.
 */
export interface TokenDesk {
  tokens: Tokens
  prices: Prices
  /** Starts the price rounds, without waiting for the first. */
  start(): void
  stop(): Promise<void>
}

/**
 * Opens the token catalogue with its prices and markets, whose rounds begin with `start()`. The two depend on each
 * other: prices are read for the catalogue's tokens, and the catalogue lists the providers' tokens.
 */
export async function openTokens(parts: {
  database: DatabasePool
  chains: Chains
  config: { catalog: TokensConfig; prices: PricesConfig }
  logger: Logger
}): Promise<TokenDesk> {
  const { database, chains, config, logger } = parts
  const desk = openPrices({
    database,
    chains,
    config: config.prices,
    watched: (limit): Promise<readonly TokenId[]> => tokens.watched(limit),
    recognise: (provider, coinOf) => tokens.recognise(provider, coinOf),
    logger,
  })
  const tokens = await createTokens({
    database,
    chains,
    config: config.catalog,
    named: listNamedTokens(
      [...chains.values()].map((chain) => chain.config),
      config,
    ),
    markets: desk.markets,
    providers: desk.tokenProviders,
    logger,
  })
  return {
    tokens,
    prices: desk.prices,
    start: desk.start,
    async stop() {
      tokens.stop()
      await desk.stop()
    },
  }
}

/**
 * Lists the tokens that the configuration names beside the pools' assets; they count as listed. They are wrapped
 * coins, partners, and tokens with a configured price or price pool. Tokens that venues exchange, carry or sell are
 * included.
 */
export function listNamedTokens(
  chains: readonly ChainConfig[],
  { prices, catalog }: { prices: PricesConfig; catalog: Pick<TokensConfig, 'partners'> },
): Set<TokenKey> {
  const ofChains = chains.flatMap(({ chainId, wrappedNative, venues }): TokenId[] =>
    [
      ...(wrappedNative === undefined ? [] : [wrappedNative]),
      ...(venues.uniswap?.baseTokens ?? []),
      ...(venues.across?.tokens ?? []).map(({ token }) => token),
      ...(venues.peer?.tokens ?? []),
    ].map((address) => tokenIdOf(chainId, address)),
  )
  const priced = prices.sources.flatMap((source): TokenId[] => {
    if (source.kind === 'fixed')
      return source.prices.map(({ chainId, address }) => tokenIdOf(chainId, address))
    if (source.kind === 'uniswap-v3')
      return source.pools.map(({ chainId, token }) => tokenIdOf(chainId, token))
    return []
  })
  return new Set([...ofChains, ...priced, ...catalog.partners].map(keyOf))
}
