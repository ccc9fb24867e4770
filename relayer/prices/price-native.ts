import type { PublicClient } from 'viem'
import type { AssetConfig } from '../chains/config.ts'
import { NATIVE_ASSET } from '../chains/config.ts'
import { readTwap } from './read-twap.ts'

const WEI_PER_NATIVE = 10n ** 18n

/** Converts between an asset's smallest unit and wei of the chain's native coin; both roundings go down. */
export interface NativePrice {
  toWei(amount: bigint): bigint
  fromWei(wei: bigint): bigint
}

function ratio(tokenPerNative: bigint): NativePrice {
  if (tokenPerNative === 0n)
    throw new Error('a native coin is worth less than the smallest unit of the token')
  return {
    toWei: (amount) => (amount * WEI_PER_NATIVE) / tokenPerNative,
    fromWei: (wei) => (wei * tokenPerNative) / WEI_PER_NATIVE,
  }
}

/**
 * The price of an asset in native coin, from the source that its configuration names: 1 for the native asset itself,
 * a fixed rate, or the time-weighted average of a Uniswap v3 pool (one round trip).
 */
export async function priceInNative(client: PublicClient, asset: AssetConfig): Promise<NativePrice> {
  if (asset.asset === NATIVE_ASSET) return ratio(WEI_PER_NATIVE)
  if (asset.price?.kind === 'fixed') return ratio(asset.price.tokenPerNative)
  if (asset.price?.kind === 'uniswap-v3')
    return ratio(await readTwap(client, asset.asset, asset.price.pool, asset.price.windowSeconds))
  throw new Error(`${asset.symbol} has no price source`)
}
