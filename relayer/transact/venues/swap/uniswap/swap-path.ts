import type { Address } from 'viem'

interface HopEnds {
  tokenIn: Address
  tokenOut: Address
}

/** A hop through a pair of Uniswap v2. */
export interface PairHop extends HopEnds {
  version: 2
  /** Smallest units. */
  reserveIn: bigint
  reserveOut: bigint
}

/** A hop through a pool of Uniswap v3. */
export interface PoolHop extends HopEnds {
  version: 3
  /** In hundredths of a basis point. */
  fee: number
  /** The square root of token1's amount for one of token0, Q64.96. */
  sqrtPrice: bigint
  tick: number
  /** Mean tick of the last ten minutes; null if the pool has less history. */
  averageTick: number | null
}

/** One pool of a path, and its state when the path was found. */
export type Hop = PairHop | PoolHop

/** The best path from one token to another at a block. */
export interface SwapPath {
  /** Output of the requested amount, by the pools' own arithmetic; smallest unit. */
  expected: bigint
  /** One to three hops. */
  hops: readonly Hop[]
}
