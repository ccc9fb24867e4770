import type { ChainConfig } from '../chain/nodes/config.ts'
import type { PricesConfig } from './prices/config.ts'
import type { TokensConfig } from './tokens/config.ts'
import { keyOf, tokenIdOf, type TokenId, type TokenKey } from './tokens/token-id.ts'

/**
 * Lists the tokens that the configuration names beside the pools' assets; they count as listed. They are wrapped
 * coins, partners, and tokens with a configured price or price pool. Tokens that venues exchange, carry or sell are
 * included.
 */
export function listNamedTokens(
  chains: readonly ChainConfig[],
  { prices, catalog }: { prices: Pick<PricesConfig, 'sources'>; catalog: Pick<TokensConfig, 'partners'> },
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
