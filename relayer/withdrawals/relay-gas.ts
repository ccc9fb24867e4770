import { NATIVE_ASSET } from '../chains/config.ts'
import type { Pool } from '../pools/pool-state.ts'

/**
 * Before anything was measured: what a relay used at most on our own deployment of the pools, native and ERC-20
 * (the Groth16 verification alone is 235k). Replaced by measurements as soon as one relay of the pool is known.
 */
const UNMEASURED = { native: 520_000n, token: 560_000n }
/**
 * Between the measuring of a relay and its inclusion other relays insert roots: each adds about 2,500 gas to the
 * search of the proof's root, and the tree about 14,000 for each one-bit of the inserted leaf's index.
 */
const HEADROOM = 40_000n
/** Roots that may follow while a request waits, times their gas, and a full walk up the tree: a gas limit, not a price. */
const LIMIT_HEADROOM = 400_000n
const KEPT = 32

/** aggregate3Value around the relay, and the native transfer to a recipient that may be new. */
export const TOP_UP_GAS = 60_000n

/** Gas of relay calls by pool, from real runs of them. */
export interface RelayGas {
  /** Remembers what a relay of the pool used: its receipt's gasUsed, or a simulation's. */
  observe(pool: Pick<Pool, 'chainId' | 'address'>, gasUsed: bigint): void
  /** Gas to quote: the most that recent relays used, less the odd ones, plus headroom for what is inserted until inclusion. */
  quoted(pool: Pool): bigint
  /** Gas limit of the transaction; what is not used costs nothing. */
  limit(pool: Pool): bigint
}

export function createRelayGas(): RelayGas {
  const samples = new Map<string, bigint[]>()
  const key = (pool: Pick<Pool, 'chainId' | 'address'>) => `${pool.chainId}:${pool.address}`

  function mostUsed(pool: Pool): bigint {
    const seen = samples.get(key(pool))
    if (!seen?.length) return pool.asset.asset === NATIVE_ASSET ? UNMEASURED.native : UNMEASURED.token
    const ascending = seen.toSorted((a, b) => (a < b ? -1 : 1))
    const median = ascending[(ascending.length - 1) >> 1] ?? 0n
    // A recipient may be a contract that burns gas at will: it must not make everybody's next quote dearer.
    return ascending.findLast((used) => used <= (median * 3n) / 2n) ?? median
  }

  return {
    observe(pool, gasUsed) {
      const seen = samples.get(key(pool)) ?? []
      samples.set(key(pool), [gasUsed, ...seen].slice(0, KEPT))
    },
    quoted: (pool) => mostUsed(pool) + HEADROOM,
    limit: (pool) => mostUsed(pool) + LIMIT_HEADROOM,
  }
}
