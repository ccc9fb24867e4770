/** Numbers of blocks and their times in seconds. */
export interface Dated {
  number: bigint
  timestamp: bigint
}

/**
 * Returns the seconds of a slot, if the chain has regular slots, which may be empty. Returns 1 on other chains, or while too
 * few heads are known. Takes successive heads; some in between may be missing.
 */
export function findBlockSeconds(heads: readonly Dated[], leastGaps = 3): bigint {
  const gaps = heads.slice(1).flatMap(({ number, timestamp }, index) => {
    const before = heads[index]!
    const blocks = number - before.number
    const seconds = timestamp - before.timestamp
    return blocks === 1n && seconds > 0n ? [seconds] : []
  })
  if (gaps.length < leastGaps) return 1n
  const least = gaps.reduce((low, gap) => (gap < low ? gap : low))
  return gaps.every((gap) => gap % least === 0n) ? least : 1n
}

/** Returns the time of the next block: the first slot after `now` (both in seconds), and after the head. */
export function foreseeTimestamp(head: Dated, blockSeconds: bigint, now: bigint): bigint {
  const passed = now > head.timestamp ? (now - head.timestamp) / blockSeconds : 0n
  return head.timestamp + (passed + 1n) * blockSeconds
}
