import type { PublicClient } from 'viem'
import type { HeadReading } from './chain.ts'

/** Milliseconds after which the least accepted tip may have fallen. */
const RAISED_MS = 600_000

/** The tip that a chain's nodes suggest, at least the one that they accept. */
export interface Tips {
  /** Wei per gas; null before the first answer. */
  tip(): bigint | null
  /** Records that nodes refused a lower tip than this; for ten minutes the tip is no lower. */
  raise(tip: bigint): void
  /** Reads it unless it was read within the last poll interval. */
  refresh(): Promise<void>
  reading: HeadReading
}

/**
 * Follows the tip that the nodes of a chain suggest; concurrent callers share a question.
 * @param minTip The operator's minimum, in wei per gas: nodes of some chains suggest less than they accept.
 */
export function createTips(client: PublicClient, pollIntervalMs: number, minTip: bigint): Tips {
  let known: { tip: bigint; at: number } | null = null
  let raised = { tip: 0n, at: -Infinity }
  let reading: Promise<void> | null = null

  async function ask(): Promise<void> {
    known = { tip: await client.estimateMaxPriorityFeePerGas(), at: Date.now() }
  }
  function tip(): bigint | null {
    if (!known) return null
    const least = performance.now() - raised.at < RAISED_MS && raised.tip > minTip ? raised.tip : minTip
    return known.tip > least ? known.tip : least
  }
  const read = () => (reading ??= ask().finally(() => (reading = null)))

  return {
    tip,
    raise: (least) => void (raised = { tip: least, at: performance.now() }),
    refresh: async () => {
      if (reading || !known || Date.now() - known.at >= pollIntervalMs) await read()
    },
    reading: {
      name: 'tip',
      read,
      write: () => known && String(tip()),
      take(told) {
        if (!/^\d+$/.test(told)) return false
        known = { tip: BigInt(told), at: Date.now() }
        return true
      },
    },
  }
}
