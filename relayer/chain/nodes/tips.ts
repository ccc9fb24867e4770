import type { PublicClient } from 'viem'
import type { HeadReading } from './chain.ts'

/** The tip that a chain's nodes suggest. */
export interface Tips {
  /** Wei per gas; null before the first answer. */
  tip(): bigint | null
  /** Reads it unless that was done within a poll's time. */
  refresh(): Promise<void>
  reading: HeadReading
}

/** Follows the tip that the nodes of a chain suggest; those who ask at once share a question. */
export function createTips(client: PublicClient, pollIntervalMs: number): Tips {
  let known: { tip: bigint; at: number } | null = null
  let reading: Promise<void> | null = null

  async function ask(): Promise<void> {
    known = { tip: await client.estimateMaxPriorityFeePerGas(), at: Date.now() }
  }
  const read = () => (reading ??= ask().finally(() => (reading = null)))

  return {
    tip: () => known?.tip ?? null,
    refresh: async () => {
      if (reading || !known || Date.now() - known.at >= pollIntervalMs) await read()
    },
    reading: {
      name: 'tip',
      read,
      write: () => known && String(known.tip),
      take(told) {
        if (!/^\d+$/.test(told)) return false
        known = { tip: BigInt(told), at: Date.now() }
        return true
      },
    },
  }
}
