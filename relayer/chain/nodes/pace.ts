import type { ChainConfig } from './config.ts'

/** Number of heads from which the pace is computed. */
const REMEMBERED = 64
/** Number of heads from which the difference of the clocks is computed. */
const AGES = 8
/** Blocks between the first and the last of them below which the pace is unknown. */
const LEAST_BLOCKS = 4n

/** The block time of a chain. */
export interface Pace {
  note(head: Dated): void
  /** Milliseconds from one block to the next on average; null while too little is known. */
  usualMs(): number | null
  /** Milliseconds that the local clock is at least ahead of the chain's; negative if behind. Null while too little is known. */
  clockAheadMs(): number | null
}

/** Computes the block time of a chain from its heads. */
export function createPace({ blocksOnDemand }: ChainConfig): Pace {
  let heads: Dated[] = []
  let ages: number[] = []
  return {
    note({ number, timestamp }) {
      const before = heads.filter((head) => head.number < number && head.timestamp <= timestamp)
      heads = [...before, { number, timestamp }].slice(-REMEMBERED)
      ages = [...ages, Date.now() - Number(timestamp) * 1_000].slice(-AGES)
    },
    // A block is seen after it is made: the youngest shows the clocks' difference best.
    clockAheadMs: () => (blocksOnDemand || ages.length < AGES ? null : Math.min(...ages)),
    usualMs() {
      const [first, last] = [heads[0], heads.at(-1)]
      if (blocksOnDemand || !first || !last || last.number - first.number < LEAST_BLOCKS) return null
      return Number(((last.timestamp - first.timestamp) * 1_000n) / (last.number - first.number))
    },
  }
}

/** Numbers of blocks and their times in seconds. */
interface Dated {
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
