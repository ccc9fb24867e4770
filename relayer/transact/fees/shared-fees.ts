import { SharedPlaces } from '../../shares/shared-places.ts'

/** Fees that quotes share within an hour, which hides the moment of each quote. */
export interface SharedFees {
  /**
   * Returns the highest fee of the key since the full hour that covers `fee`; `fee` itself if the former is
   * over twice as much.
   * @param key Fees of one key are in one token, and for the same calls.
   */
  cover(key: string, fee: bigint): bigint
}

const HOUR_MS = 3_600_000
/** Most keys in the cache. */
const MAX_KNOWN = 2_000
/** Most that may be charged, as a multiple of the fee needed now. */
const MOST = 2n

/**
 * Creates the fees that this instance's quotes share.
 * @param clock Milliseconds since 1970.
 */
export function createSharedFees(clock: () => number = Date.now): SharedFees {
  const known = new SharedPlaces<string, { hour: number; fee: bigint }>(MAX_KNOWN)
  return {
    cover(key, fee) {
      const hour = Math.floor(clock() / HOUR_MS)
      const last = known.get(key)
      if (last?.hour === hour && last.fee >= fee && last.fee <= MOST * fee) return last.fee
      known.set(key, { hour, fee })
      return fee
    },
  }
}
