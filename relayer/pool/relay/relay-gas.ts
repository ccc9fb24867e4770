import { NATIVE_ASSET } from '../../chain/nodes/config.ts'
import type { Pool } from '../state/pool-state.ts'

/**
 * Used before anything was measured: the most that a relay used on our own deployment of the pools, native and ERC-20
 * (the Groth16 verification alone takes 235k). Measurements replace it as soon as one relay of the pool is known.
 */
const UNMEASURED = { native: 520_000n, token: 560_000n }
/** What a price adds to the most that was measured: roots and leaves that come before the next relay. */
const PRICE_HEADROOM = 40_000n
/** What a root that is inserted before ours adds to the search for the proof's root: 2,380 by receipts. */
const GAS_OF_ROOT = 2_500n
/** What a one-bit of the inserted leaf's index adds to the tree's insert: 15,800 by receipts. */
const GAS_OF_BIT = 16_000n
/** So many roots may follow that of a proof before it is too old. */
const MAX_ROOTS = 63
/** Roots that others may insert before ours is mined. */
const ROOTS_OF_OTHERS = 16

/** aggregate3Value around the relay, and the native transfer to a recipient that may be new. */
export const TOP_UP_GAS = 60_000n

/** A pool's gas ceiling where its asset's configuration names none: twice what an unmeasured relay is taken for. */
const defaultCeiling = (native: boolean) => 2n * (native ? UNMEASURED.native : UNMEASURED.token)

/** Gas of relay calls by pool, from receipts of confirmed relays. */
export interface RelayGas {
  /** Replaces a pool's samples: gasUsed of its newest confirmed relays to recipients without code. */
  learn(pool: Pick<Pool, 'chainId' | 'address'>, gasUsed: readonly bigint[]): void
  /** Gas to quote: the most that recent relays used, less the odd ones, plus headroom; never above the pool's ceiling. */
  quoted(pool: Pool): bigint
  /** Gas with which a relay is simulated at first, enough for the oldest root; never above the pool's ceiling. */
  limit(pool: Pool): bigint
  /** Gas limit of a relay that used so much in its simulation; never above the pool's ceiling. */
  limitFor(pool: Pool, gasUsed: bigint, underWay: number): bigint
}

/**
 * How much dearer a relay can become between its simulation and its block, by so many inserts in between: with n leaves
 * before, popcount(n + d) <= popcount(n) + popcount(d), so that d inserts add at most log2(d + 1) one-bits to the leaf's
 * index, at 16,000 gas each, and d roots, at 2,500. At most 63 count, since the proof's root is too old after more:
 * 96,000 + 157,500 = 253,500 gas; where nothing of ours is under way 16 are assumed: 64,000 + 40,000 = 104,000 gas.
 * Exported for its test, which checks the formula against counted bits.
 * @param underWay Transactions of ours that may be mined before it.
 */
export function growthOf(underWay: number): bigint {
  const inserts = Math.min(MAX_ROOTS, underWay + ROOTS_OF_OTHERS)
  return BigInt(Math.floor(Math.log2(inserts + 1))) * GAS_OF_BIT + BigInt(inserts) * GAS_OF_ROOT
}

/**
 * Creates the estimates without samples: until `learn` is called for a pool, they are constants measured
 * beforehand.
 */
export function createRelayGas(): RelayGas {
  const samples = new Map<string, readonly bigint[]>()
  const key = (pool: Pick<Pool, 'chainId' | 'address'>) => `${pool.chainId}:${pool.address}`

  function mostUsed(pool: Pool): bigint {
    const seen = samples.get(key(pool))
    if (!seen?.length) return pool.asset.asset === NATIVE_ASSET ? UNMEASURED.native : UNMEASURED.token
    const ascending = seen.toSorted((a, b) => (a < b ? -1 : 1))
    const median = ascending[(ascending.length - 1) >> 1] ?? 0n
    // A recipient may get code between simulation and block: it must not make everybody's next quote dearer.
    return ascending.findLast((used) => used <= (median * 3n) / 2n) ?? median
  }

  function withinCeiling({ asset }: Pool, gas: bigint): bigint {
    const ceiling =
      asset.maxRelayGas === undefined
        ? defaultCeiling(asset.asset === NATIVE_ASSET)
        : BigInt(asset.maxRelayGas)
    return gas < ceiling ? gas : ceiling
  }

  return {
    learn: (pool, gasUsed) => void samples.set(key(pool), gasUsed),
    quoted: (pool) => withinCeiling(pool, mostUsed(pool) + PRICE_HEADROOM),
    limit: (pool) => withinCeiling(pool, mostUsed(pool) + PRICE_HEADROOM + growthOf(MAX_ROOTS)),
    limitFor: (pool, gasUsed, underWay) => withinCeiling(pool, gasUsed + growthOf(underWay)),
  }
}
