import { SharedPlaces } from '../../shares/shared-places.ts'

/** Fees that quotes share within an hour, which hides the moment of each quote. */
export interface SharedFees {
  /**
   * Returns a fee of the key that covers `fee`: the highest since the full hour, halved while it is over twice as
   * much, which leaves few different fees when the price falls.
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
      let shared = last?.hour === hour && last.fee > fee ? last.fee : fee
      known.set(key, { hour, fee: shared })
      while (shared > MOST * fee) shared /= 2n
      return shared
    },
  }
}
