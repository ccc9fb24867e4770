import type { ChainConfig } from './config.ts'
import type { Dated } from './find-block-seconds.ts'

/** Number of heads from which the pace is computed. */
const REMEMBERED = 64
/** Blocks between the first and the last of them below which the pace is unknown. */
const LEAST_BLOCKS = 4n

/** The block time of a chain. */
export interface Pace {
  note(head: Dated): void
  /** Milliseconds from one block to the next on average; null while too little is known. */
  usualMs(): number | null
}

/** Computes the block time of a chain from its heads. */
export function createPace({ blocksOnDemand }: Pick<ChainConfig, 'blocksOnDemand'>): Pace {
  let heads: Dated[] = []
  return {
    note({ number, timestamp }) {
      const before = heads.filter((head) => head.number < number && head.timestamp <= timestamp)
      heads = [...before, { number, timestamp }].slice(-REMEMBERED)
    },
    usualMs() {
      const [first, last] = [heads[0], heads.at(-1)]
      if (blocksOnDemand || !first || !last || last.number - first.number < LEAST_BLOCKS) return null
      return Number(((last.timestamp - first.timestamp) * 1_000n) / (last.number - first.number))
    },
  }
}
