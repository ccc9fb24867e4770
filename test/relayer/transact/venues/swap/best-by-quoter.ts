import { parseAbi, type Address } from 'viem'
import type { SwapAsk } from '../../../../../relayer/transact/venues/swap/swap-venue.ts'
import type { SwapWorld } from './start-swap-world.ts'

/** A pool of the world; `fee` is null for a v2 pair. */
export interface KnownPool {
  address: Address
  tokens: readonly [Address, Address]
  fee: number | null
}

const pairAbi = parseAbi([
  'function token0() view returns (address)',
  'function getReserves() view returns (uint112, uint112, uint32)',
])
const poolAbi = parseAbi(['function liquidity() view returns (uint128)'])
const HIGHEST_PRICE = 1461446703485210103287273052203988822378723970341n
const LOWEST_PRICE = 4295128740n

/** The highest output of a path, and whether every pool on it could take the amount. */
export interface BestByQuoter {
  best: bigint
  isWhole: boolean
}

/**
 * Finds the highest output of any path of at most three hops. Follows every path and quotes every v3 pool through the
 * published QuoterV2 with the given gas.
 */
export async function findBestByQuoter(
  world: SwapWorld,
  pools: readonly KnownPool[],
  between: readonly Address[],
  { tokenIn, tokenOut, amountIn }: SwapAsk,
  gas: bigint,
): Promise<BestByQuoter> {
  let isWhole = true
  async function follow(token: Address, amount: bigint, seen: readonly Address[]): Promise<bigint> {
    const next = pools.flatMap((pool) => {
      const to = otherOf(pool, token)
      if (to === null || seen.includes(to)) return []
      return to === tokenOut || (seen.length < 3 && between.includes(to)) ? [{ pool, to }] : []
    })
    const ends = await Promise.all(
      next.map(async ({ pool, to }) => {
        const given = await quote(world, pool, token, to, amount, gas)
        if (given === null) isWhole = false
        return !given || to === tokenOut ? (given ?? 0n) : follow(to, given, [...seen, to])
      }),
    )
    return ends.reduce((best, end) => (end > best ? end : best), 0n)
  }
  return { best: await follow(tokenIn, amountIn, [tokenIn]), isWhole }
}

function otherOf({ tokens: [one, other] }: KnownPool, token: Address): Address | null {
  if (token === one) return other
  return token === other ? one : null
}

/** A pool's output; null if it cannot take the amount. */
async function quote(
  { client, quoter }: SwapWorld,
  { address, fee }: KnownPool,
  tokenIn: Address,
  tokenOut: Address,
  amountIn: bigint,
  gas: bigint,
): Promise<bigint | null> {
  if (fee === null) {
    const [first, [reserve0, reserve1]] = await Promise.all([
      client.readContract({ address, abi: pairAbi, functionName: 'token0' }),
      client.readContract({ address, abi: pairAbi, functionName: 'getReserves' }),
    ])
    const [reserveIn, reserveOut] = first === tokenIn ? [reserve0, reserve1] : [reserve1, reserve0]
    if (reserveIn + amountIn >= 1n << 112n) return null
    return (amountIn * 997n * reserveOut) / (reserveIn * 1_000n + amountIn * 997n)
  }
  if ((await client.readContract({ address, abi: poolAbi, functionName: 'liquidity' })) === 0n) return null
  try {
    const { result } = await client.simulateContract({
      address: quoter.address,
      abi: quoter.abi,
      functionName: 'quoteExactInputSingle',
      args: [{ tokenIn, tokenOut, amountIn, fee, sqrtPriceLimitX96: 0n }],
      gas,
    })
    const [given, priceAfter] = result as unknown as [bigint, bigint]
    return priceAfter <= LOWEST_PRICE || priceAfter >= HIGHEST_PRICE ? null : given
  } catch {
    return null
  }
}
