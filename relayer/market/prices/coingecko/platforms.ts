import type { CoingeckoConfig } from '../config.ts'

/** The provider's names of chains and their native coins, as in its /asset_platforms. */
const KNOWN: Readonly<Record<number, { platform: string; nativeId: string }>> = {
  1: { platform: 'ethereum', nativeId: 'ethereum' },
  10: { platform: 'optimistic-ethereum', nativeId: 'ethereum' },
  56: { platform: 'binance-smart-chain', nativeId: 'binancecoin' },
  100: { platform: 'xdai', nativeId: 'xdai' },
  130: { platform: 'unichain', nativeId: 'ethereum' },
  137: { platform: 'polygon-pos', nativeId: 'polygon-ecosystem-token' },
  324: { platform: 'zksync', nativeId: 'ethereum' },
  480: { platform: 'world-chain', nativeId: 'ethereum' },
  8453: { platform: 'base', nativeId: 'ethereum' },
  42161: { platform: 'arbitrum-one', nativeId: 'ethereum' },
  42220: { platform: 'celo', nativeId: 'celo' },
  43114: { platform: 'avalanche', nativeId: 'avalanche-2' },
  57073: { platform: 'ink', nativeId: 'ethereum' },
  59144: { platform: 'linea', nativeId: 'ethereum' },
  534352: { platform: 'scroll', nativeId: 'ethereum' },
}

/** Returns the provider's names of a chain; absent if it has none, as for testnets. */
export function platformOf(
  chainId: number,
  config: Pick<CoingeckoConfig, 'platforms'>,
): { platform?: string | undefined; nativeId?: string | undefined } {
  return { ...KNOWN[chainId], ...config.platforms[String(chainId)] }
}
