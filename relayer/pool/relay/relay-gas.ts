import { NATIVE_ASSET } from '../../chain/nodes/config.ts'
import type { Pool } from '../state/pool-state.ts'

/**
 * Gas of a relay before any measurement: the maximum on the project's own deployment of the pools, native and ERC-20.
 * The Groth16 verification alone takes 235k. Measurements replace it once one relay of the pool is known.
 */
const UNMEASURED = { native: 520_000n, token: 560_000n }
/** Gas that a quote adds to the measured maximum, for roots and leaves inserted before the next relay. */
const PRICE_HEADROOM = 40_000n
/** Gas that each root inserted before the relay adds to the search for the proof's root: 2,380 by receipts. */
const GAS_OF_ROOT = 2_500n
/** Gas that each one-bit of the inserted leaf's index adds to the tree's insert: 15,800 by receipts. */
const GAS_OF_BIT = 16_000n
/** Maximum of roots after a proof's root before the proof is too old. */
const MAX_ROOTS = 63
/** Assumed roots that others insert before the relay is mined. */
const ROOTS_OF_OTHERS = 16

/** Gas of aggregate3Value around the relay, and of the native transfer to a possibly new recipient. */
export const TOP_UP_GAS = 60_000n

/** Returns a pool's gas ceiling if its asset configures none: twice the gas of an unmeasured relay. */
const defaultCeiling = (native: boolean) => 2n * (native ? UNMEASURED.native : UNMEASURED.token)

/** Gas of relay calls by pool, from receipts of confirmed relays. */
export interface RelayGas {
  /** Replaces a pool's samples: gasUsed of its newest confirmed relays to recipients without code. */
  learn(pool: Pick<Pool, 'chainId' | 'address'>, gasUsed: readonly bigint[]): void
  /**
   * Returns the gas to quote: the maximum of recent relays without outliers, plus headroom; never above the pool's
   * ceiling.
   */
  quoted(pool: Pool): bigint
  /** Returns the gas limit of a relay's first simulation, enough for the oldest root; never above the pool's ceiling. */
  limit(pool: Pool): bigint
  /** Returns the gas limit of a relay from its gas in the simulation; never above the pool's ceiling. */
  limitFor(pool: Pool, gasUsed: bigint, underWay: number): bigint
}

/**
 * Returns the gas by which a relay can grow between its simulation and its block, by d inserts in between. With n
 * leaves before, popcount(n + d) <= popcount(n) + popcount(d).
 * So d inserts add at most log2(d + 1) one-bits to the leaf's index, at 16,000 gas each, and d roots, at 2,500. At
 * most 63 count, because the proof's root is too old after more: 96,000 + 157,500 = 253,500 gas. Without pending
 * transactions of the service 16 are assumed: 64,000 + 40,000 = 104,000 gas.
 * Exported for its test, which checks the formula against counted bits.
 * @param underWay The service's transactions that may be mined before it.
 */
export function growthOf(underWay: number): bigint {
  const inserts = Math.min(MAX_ROOTS, underWay + ROOTS_OF_OTHERS)
  return BigInt(Math.floor(Math.log2(inserts + 1))) * GAS_OF_BIT + BigInt(inserts) * GAS_OF_ROOT
}

/** Creates the estimates without samples: until `learn` is called for a pool, they are constants measured beforehand. */
export function createRelayGas(): RelayGas {
  const samples = new Map<string, readonly bigint[]>()
  const key = (pool: Pick<Pool, 'chainId' | 'address'>) => `${pool.chainId}:${pool.address}`

  function mostUsed(pool: Pool): bigint {
    const seen = samples.get(key(pool))
    if (!seen?.length) return pool.asset.asset === NATIVE_ASSET ? UNMEASURED.native : UNMEASURED.token
    const ascending = seen.toSorted((a, b) => (a < b ? -1 : 1))
    const median = ascending[(ascending.length - 1) >> 1] ?? 0n
    // A recipient may get code between simulation and block; that must not raise everyone's next quote.
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
