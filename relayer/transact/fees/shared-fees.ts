import { SharedPlaces } from '../../shares/shared-places.ts'

/** Fees that quotes share within an hour, so that none of them tells the moment of its quote. */
export interface SharedFees {
  /**
   * The fee of a kind of calls that covers `fee`: the highest since the full hour, unless that is more than twice as much.
   * @param key Fees of one key are of one token, and for the same calls.
   */
  cover(key: string, fee: bigint): bigint
}

const HOUR_MS = 3_600_000
/** Kinds of calls that are remembered. */
const MAX_KNOWN = 2_000
/** So many times what is needed now may be charged. */
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
