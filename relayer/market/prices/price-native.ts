import type { Chain } from '../../chain/nodes/chain.ts'
import { NATIVE_ASSET } from '../../chain/nodes/config.ts'
import type { AssetConfig } from '../../chain/nodes/relayer-config.ts'
import { readTwap } from './read-twap.ts'

const WEI_PER_NATIVE = 10n ** 18n

/** Converts between an asset's smallest unit and wei of the chain's native coin; both round down. */
export interface NativePrice {
  toWei(amount: bigint): bigint
  fromWei(wei: bigint): bigint
}

/** Returns the price of an asset in native coin as of the newest head. @throws PriceUnavailableError */
export type PriceOf = (asset: AssetConfig) => Promise<NativePrice>

/** The price source of an asset has no answer at present. */
export class PriceUnavailableError extends Error {
  override name = 'PriceUnavailableError'
}

function ratio(tokenPerNative: bigint): NativePrice {
  if (tokenPerNative === 0n)
    throw new Error('a native coin is worth less than the smallest unit of the token')
  return {
    toWei: (amount) => (amount * WEI_PER_NATIVE) / tokenPerNative,
    fromWei: (wei) => (wei * tokenPerNative) / WEI_PER_NATIVE,
  }
}

async function readPrice({ client }: Chain, { asset, symbol, price }: AssetConfig): Promise<NativePrice> {
  if (asset === NATIVE_ASSET) return ratio(WEI_PER_NATIVE)
  if (price?.kind === 'fixed') return ratio(price.tokenPerNative)
  if (price?.kind !== 'uniswap-v3') throw new Error(`${symbol} has no price source`)
  try {
    return ratio(await readTwap(client, asset, price.pool, price.windowSeconds))
  } catch (cause) {
    throw new PriceUnavailableError(`the price of ${symbol} cannot be read`, { cause })
  }
}

/**
 * Creates the prices of one chain's assets, each from its configured source. The native asset has the price 1. Others
 * have a fixed rate, or the time-weighted average of a Uniswap v3 pool, read once per head.
 */
export function createPrices(chain: Chain): PriceOf {
  const known = new Map<string, { head: string | undefined; price: Promise<NativePrice> }>()
  return (asset) => {
    const head = chain.head()?.hash
    const last = known.get(asset.asset)
    if (last && last.head === head) return last.price
    const price = readPrice(chain, asset)
    known.set(asset.asset, { head, price })
    // A failure is not cached.
    price.catch(() => known.delete(asset.asset))
    return price
  }
}
