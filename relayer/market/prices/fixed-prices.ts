import type { ChainConfig } from '../../chain/nodes/config.ts'
import { NATIVE_ASSET } from '../../chain/nodes/config.ts'
import { keyOf, tokenIdOf, type TokenKey } from '../tokens/token-id.ts'
import type { PriceSourceConfig } from './config.ts'
import { parseUsd } from './usd.ts'

/** Lists the operator's fixed prices. */
export function listFixedPrices(sources: readonly PriceSourceConfig[]): Map<TokenKey, bigint> {
  const fixed = sources.flatMap((source) => (source.kind === 'fixed' ? source.prices : []))
  return new Map(
    fixed.map(({ chainId, address, usd }) => [keyOf(tokenIdOf(chainId, address)), parseUsd(usd)] as const),
  )
}

/**
 * Lists prices from the chains' settings, for local chains and testnets: the native coin's, and those of assets with
 * a fixed rate against it.
 */
export function listChainPrices(chains: readonly ChainConfig[]): Map<TokenKey, bigint> {
  const prices = new Map<TokenKey, bigint>()
  for (const { chainId, nativeUsd, relayer } of chains) {
    if (nativeUsd === undefined) continue
    const native = parseUsd(nativeUsd)
    if (native === 0n) continue
    prices.set(keyOf(tokenIdOf(chainId, NATIVE_ASSET)), native)
    for (const { asset, decimals, price } of relayer?.assets ?? []) {
      if (price?.kind !== 'fixed') continue
      const usd = (native * 10n ** BigInt(decimals)) / price.tokenPerNative
      if (usd > 0n) prices.set(keyOf(tokenIdOf(chainId, asset)), usd)
    }
  }
  return prices
}
