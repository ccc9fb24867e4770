import { NATIVE_ASSET } from '../../chain/nodes/config.ts'
import type { Pool } from '../state/pool-state.ts'
import {
  extraFeeOf,
  type SendingPrice,
  type TransactionSize,
  costOf,
  type GasPrices,
} from '../../chain/nodes/sending-price.ts'
import type { CommonQueryMethods } from 'slonik'
import { getAddress } from 'viem'
import { listRelayGas } from '../../../db/pool/relay/relay-ledger.ts'

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

/** Bytes of a relay's transaction without its signature: 772 of calldata and the rest. */
export const RELAY_BYTES = 880
/** Bytes that a multicall with a top-up adds. */
const TOP_UP_BYTES = 480

/** Gas that the fee of a relay pays for. */
interface PaidRelayGas {
  relay: bigint
  /** The additional gas of a top-up. */
  topUp: bigint
}

/**
 * Returns the gas of a relay, and of its top-up, with the chain's additional charges. The charges are converted to
 * gas, rounded up, because published clients recompute the relayFee from gas and gas price alone.
 */
export function paidRelayGas(
  { gasPrice, extra }: SendingPrice,
  { relay, topUp }: PaidRelayGas,
): PaidRelayGas {
  // At a gas price of zero no gas would pay for it.
  const toGas = (wei: bigint) => (gasPrice === 0n ? 0n : (wei + gasPrice - 1n) / gasPrice)
  const feeOf = (size: TransactionSize) => extraFeeOf(extra, size)
  const plain = feeOf({ gas: relay, bytes: RELAY_BYTES })
  const together = feeOf({ gas: relay + topUp, bytes: RELAY_BYTES + TOP_UP_BYTES })
  return { relay: relay + toGas(plain), topUp: topUp + toGas(together - plain) }
}

const SAMPLES = 32
/** Milliseconds for which measured gas is used. These fees are shown, not promised: quotes measure their own. */
const READ_EVERY_MS = 30_000

/** Creates the cost of relaying one proof, in wei: the gas of the pool's recent relays at the present gas price. */
export function createFeePerProof(
  database: CommonQueryMethods,
  gasPrices: (chainId: number) => GasPrices | undefined,
): (pool: Pool) => Promise<bigint | null> {
  let measured: { gas: Promise<RelayGas>; at: number } | null = null

  async function measure(): Promise<RelayGas> {
    const gas = createRelayGas()
    for (const { chainId, pool, gasUsed } of await listRelayGas(database, SAMPLES))
      gas.learn({ chainId, address: getAddress(pool) }, gasUsed)
    return gas
  }

  return async (pool) => {
    const price = gasPrices(pool.chainId)?.sendingPrice() ?? null
    if (price === null) return null
    if (!measured || Date.now() - measured.at > READ_EVERY_MS) {
      const gas = measure()
      measured = { gas, at: Date.now() }
      gas.catch(() => (measured = null))
    }
    return costOf(price, { gas: (await measured.gas).quoted(pool), bytes: RELAY_BYTES })
  }
}
