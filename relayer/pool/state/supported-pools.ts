import type { Logger } from 'pino'
import { erc20Abi, zeroAddress, type Address } from 'viem'
import type { RelayingChain } from '../../chain/nodes/chain.ts'
import { NATIVE_ASSET } from '../../chain/nodes/config.ts'
import type { AssetConfig } from '../../chain/nodes/relayer-config.ts'
import { keyOf, tokenIdOf } from '../../market/tokens/token-id.ts'
import type { Tokens } from '../../market/tokens/tokens.ts'
import { entrypointAbi } from '../../chain/contracts/privacy-pools.ts'
import type { Pool, PoolState } from './pool-state.ts'
import { poolStateRefreshing } from '../errors.ts'

/** A pool as the API describes it; amounts in the token's smallest unit. */
export interface SupportedPool {
  provider: 'privacy-pools'
  poolAddress: Address
  chainId: number
  chainName: string
  /** The zero address is the native coin. */
  token: Address
  tokenSymbol: string
  decimals: number
  logoUrl: string | null
  minDeposit: bigint
  maxDeposit: bigint
  /** The pool's balance. */
  totalBalance: bigint
  scope: bigint
  asp: { name: string; policyUrl: string | null }
  maxRelayFeeBps: bigint
  /** The cost of relaying one proof at today's gas, in wei. */
  withdrawalFeePerProofWei: bigint
}

/** The supported pools. */
export interface SupportedPools {
  /**
   * Lists the pools of all chains; none if no chain has a relayer. Pools behind a feature are listed only for
   * accounts with it. Null is a caller without account.
   *
   * @throws ServiceError `unavailable` POOL_STATE_REFRESHING while no chain with a relayer could be read.
   */
  list(accountId: string | null): Promise<readonly SupportedPool[]>
}

/** Deposits of 2^128 - 1 and above revert in pools of Privacy Pools v1 (Pool.deposit). */
const MAX_DEPOSIT = (1n << 128n) - 2n

/** Returns a pool's maximum deposit, in the asset's smallest unit. */
export const maxDepositOf = (asset: AssetConfig): bigint => asset.maxDeposit ?? MAX_DEPOSIT

/**
 * Creates the list of pools with their contracts' present values. While a chain does not answer, the last values are
 * returned.
 */
export function createSupportedPools(parts: {
  chains: readonly { chain: RelayingChain; pools: PoolState }[]
  tokens: Tokens
  /** Wei; null while the chain's gas price is unknown. */
  feePerProof(pool: Pool): Promise<bigint | null>
  featuresOf(accountId: string): Promise<ReadonlySet<string>>
  logger: Logger
}): SupportedPools {
  const { chains, tokens, feePerProof, featuresOf, logger } = parts
  const last = new Map<number, { head: string | undefined; pools: Promise<readonly ReadPool[]> }>()
  const known = new Map<number, readonly ReadPool[]>()

  async function read({
    chain,
    pools,
  }: {
    chain: RelayingChain
    pools: PoolState
  }): Promise<readonly ReadPool[]> {
    return Promise.all(pools.pools().map((pool) => readPool(chain, pool)))
  }

  /** Reads at most once per head. */
  async function readOnce(entry: { chain: RelayingChain; pools: PoolState }): Promise<readonly ReadPool[]> {
    const { chainId } = entry.chain.config
    const head = entry.chain.head()?.hash
    let reading = last.get(chainId)
    if (!reading || reading.head !== head) {
      reading = { head, pools: read(entry) }
      last.set(chainId, reading)
    }
    try {
      const pools = await reading.pools
      // Not discovered yet: that may change without a new head.
      if (pools.length === 0) last.delete(chainId)
      else known.set(chainId, pools)
      return pools
    } catch (error) {
      if (last.get(chainId) === reading) last.delete(chainId)
      logger.warn({ err: error, chainId }, 'the pools could not be read')
      return known.get(chainId) ?? []
    }
  }

  return {
    async list(accountId) {
      const [pools, features] = await Promise.all([
        Promise.all(chains.map(readOnce)).then((lists) => lists.flat()),
        accountId === null ? new Set<string>() : featuresOf(accountId),
      ])
      if (chains.length > 0 && pools.length === 0)
        throw poolStateRefreshing('The pools are being read; try again in a moment')
      const shown = pools.filter(
        ({ pool: { asset } }) => asset.feature === undefined || features.has(asset.feature),
      )
      const found = await tokens.findMany(shown.map(tokenOf))
      return Promise.all(
        shown.map(async (read) => {
          const { logoUri = null } = found.get(keyOf(tokenOf(read))) ?? {}
          return describePool(read, logoUri, (await feePerProof(read.pool)) ?? 0n)
        }),
      )
    },
  }
}

interface ReadPool {
  chain: RelayingChain
  pool: Pool
  minDeposit: bigint
  totalBalance: bigint
}

const tokenOf = ({ pool }: ReadPool) => tokenIdOf(pool.chainId, pool.asset.asset)

function describePool(
  read: ReadPool,
  logoUrl: string | null,
  withdrawalFeePerProofWei: bigint,
): SupportedPool {
  const { pool, chain, minDeposit, totalBalance } = read
  const { chainId, address } = tokenOf(read)
  const { asp } = chain.config.relayer
  return {
    provider: 'privacy-pools',
    poolAddress: pool.address,
    chainId,
    chainName: chain.config.name,
    token: address,
    tokenSymbol: pool.asset.symbol,
    decimals: pool.asset.decimals,
    logoUrl,
    minDeposit,
    maxDeposit: maxDepositOf(pool.asset),
    totalBalance,
    scope: pool.scope,
    asp: { name: asp?.name ?? 'ASP', policyUrl: asp?.policyUrl ?? null },
    maxRelayFeeBps: pool.maxRelayFeeBps,
    withdrawalFeePerProofWei,
  }
}

/** Reads the Entrypoint's settings and the pool's balance in one batch. */
async function readPool(chain: RelayingChain, pool: Pool): Promise<ReadPool> {
  const { client, config } = chain
  const [[registered, minDeposit], totalBalance] = await Promise.all([
    client.readContract({
      address: config.relayer.entrypoint,
      abi: entrypointAbi,
      functionName: 'assetConfig',
      args: [pool.asset.asset],
    }),
    pool.asset.asset === NATIVE_ASSET
      ? client.getBalance({ address: pool.address })
      : client.readContract({
          address: pool.asset.asset,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [pool.address],
        }),
  ])
  if (registered === zeroAddress) throw new Error(`the pool of ${pool.asset.symbol} was removed`)
  return { chain, pool, minDeposit, totalBalance }
}
