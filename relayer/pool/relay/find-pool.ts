import { zeroAddress, type Address } from 'viem'
import { NATIVE_ASSET } from '../../chain/nodes/config.ts'
import type { Pool } from '../state/pool-state.ts'
import type { ServiceError } from '../../service-error.ts'
import type { RelayerChain, RelayerChains } from './relayer-chain.ts'
import { chainNotSupported } from '../../chain/errors.ts'
import { assetNotSupported } from './errors.ts'
import { poolStateRefreshing } from '../errors.ts'

/** Finds the pool of an asset on a chain, for details and quotes; throws a 400 that lists the supported ones. */
export function findPool(
  chains: RelayerChains,
  chainId: number,
  asset: Address,
): { relayerChain: RelayerChain; pool: Pool } {
  const relayerChain = chains.get(chainId)
  if (!relayerChain)
    throw chainNotSupported(`chainId ${chainId} is not served; served: ${[...chains.keys()].join(', ')}`)
  const { assets } = relayerChain.chain.config.relayer
  // The rest of the API writes the zero address for the native asset; the pools do not.
  const wanted = asset === zeroAddress ? NATIVE_ASSET : asset
  if (!assets.some((item) => item.asset === wanted))
    throw assetNotSupported(
      `asset is not served on chain ${chainId}; served: ${assets.map((item) => `${item.symbol} ${item.asset}`).join(', ')}`,
    )
  const pool = relayerChain.pools.byAsset(wanted)
  if (!pool || !relayerChain.pools.isFresh()) throw stalePools(chainId)
  return { relayerChain, pool }
}

/** Builds the error for a chain whose pools are unknown or stale: `unavailable` POOL_STATE_REFRESHING. */
export function stalePools(chainId: number, cause?: unknown): ServiceError {
  return poolStateRefreshing(`The pools of chain ${chainId} are being read; try again in a moment`, { cause })
}
