import { zeroAddress, type Address } from 'viem'
import { chainNotSupported } from '../../chain/errors.ts'
import type { RelayingChain } from '../../chain/nodes/chain.ts'
import { NATIVE_ASSET } from '../../chain/nodes/config.ts'
import { poolNotFound, poolStateRefreshing } from '../errors.ts'
import type { Pool, PoolState } from './pool-state.ts'

/** Dependencies of {@link findAccountPool}. */
export interface PoolAccess {
  /** Every supported chain, by id. */
  served: { has(chainId: number): boolean }
  /** The chains with a relayer. */
  chains: ReadonlyMap<number, { chain: RelayingChain; pools: PoolState }>
  /** Returns an account's enabled features. */
  featuresOf(accountId: string): Promise<ReadonlySet<string>>
}

/** A pool that an account may use, with its chain. */
export interface AccountPool {
  chain: RelayingChain
  /** The state of all pools of the chain. `isFresh` says whether it is recent enough for quotes. */
  pools: PoolState
  pool: Pool
}

/**
 * Finds the pool of a token for an account. A pool behind a feature that the account lacks counts as missing. It does
 * not check whether the chain's state is fresh.
 *
 * @param wanted.token The zero address is the native coin; the pools' own address for it is accepted too.
 * @throws ServiceError `bad-request` CHAIN_NOT_SUPPORTED, POOL_NOT_FOUND; `unavailable` POOL_STATE_REFRESHING until
 * the pool was searched for.
 */
export async function findAccountPool(
  { served, chains, featuresOf }: PoolAccess,
  accountId: string,
  wanted: { chainId: number; token: Address },
): Promise<AccountPool> {
  const { chainId, token } = wanted
  if (!served.has(chainId)) throw chainNotSupported(`Chain ${chainId} is not served`)
  const wantedAsset = token === zeroAddress ? NATIVE_ASSET : token
  const found = chains.get(chainId)
  const asset = found?.chain.config.relayer.assets.find((candidate) => candidate.asset === wantedAsset)
  const missing = () => poolNotFound(`No pool of ${token} is served on chain ${chainId}`)
  if (!found || !asset) throw missing()
  if (asset.feature !== undefined && !(await featuresOf(accountId)).has(asset.feature)) throw missing()
  const pool = found.pools.byAsset(wantedAsset)
  if (pool) return { ...found, pool }
  if (!found.pools.isIncomplete()) throw missing()
  throw poolStateRefreshing(`The pools of chain ${chainId} are being read; try again in a moment`)
}
