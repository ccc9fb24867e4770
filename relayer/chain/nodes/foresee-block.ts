import { numberToHex, type PublicClient } from 'viem'
import { z } from 'zod'
import type { SimulatedBlock } from '../../../proving/simulate-job.ts'
import { computeNextBaseFee } from '../../../proving/simulation/next-base-fee.ts'
import type { HeadReading } from './chain.ts'
import { findBlockSeconds, foreseeTimestamp } from './pace.ts'
import type { HeadBlock } from './head-news.ts'
import { quantityCodec } from './head-news.ts'

/** Number of heads from which the block time is computed. */
const REMEMBERED = 9

/** Of the requested block and of the one after it. */
const feeHistory = z.object({
  baseFeePerGas: z.array(quantityCodec).min(2),
  baseFeePerBlobGas: z.array(quantityCodec).nullish(),
})
/** Of the block after the head. */
const nextFees = z.object({ base: quantityCodec, blob: quantityCodec.nullable() })

/** Predicts the block after the head. */
export interface BlockForecast {
  /** Records a new head. */
  note(head: HeadBlock): void
  /**
   * The base fee after the head, which the node is asked for because each chain has its own rule. A missing answer is no
   * failure.
   */
  fees: HeadReading
  /** Null before the first head. `now` in milliseconds. */
  next(now: number): SimulatedBlock | null
}

/** Creates the forecast of one chain, which needs every new head; `next` only computes. */
export function createBlockForecast(client: PublicClient): BlockForecast {
  let heads: HeadBlock[] = []
  let fees: (z.output<typeof nextFees> & { of: HeadBlock }) | null = null

  async function readNextFees({ number }: HeadBlock): Promise<z.output<typeof feeHistory> | null> {
    try {
      const params = ['0x1', numberToHex(number), []] as const
      return feeHistory.parse(await client.request({ method: 'eth_feeHistory', params } as never))
    } catch {
      return null
    }
  }

  return {
    note(head) {
      // Blocks that a reorg removed say nothing of the block time.
      heads = [...heads.filter(({ number }) => number < head.number), head].slice(-REMEMBERED)
    },
    fees: {
      name: 'fees',
      async read() {
        const head = heads.at(-1)
        const next = head ? await readNextFees(head) : null
        const base = next?.baseFeePerGas.at(-1)
        if (!head || base === undefined || heads.at(-1) !== head) return
        fees = { of: head, base, blob: next?.baseFeePerBlobGas?.at(-1) ?? null }
      },
      write: () => (fees && fees.of === heads.at(-1) ? JSON.stringify(z.encode(nextFees, fees)) : null),
      take(told) {
        const of = heads.at(-1)
        const known = nextFees.safeParse(JSON.parse(told))
        if (!of || !known.success) return false
        fees = { of, ...known.data }
        return true
      },
    },
    next(now) {
      const head = heads.at(-1)
      if (!head) return null
      const known = fees?.of === head ? fees : null
      return {
        number: head.number + 1n,
        timestamp: foreseeTimestamp(head, findBlockSeconds(heads), BigInt(Math.floor(now / 1_000))),
        baseFeePerGas: known?.base ?? computeNextBaseFee(head),
        blobBaseFee: known?.blob ?? null,
        coinbase: head.miner,
        prevRandao: head.difficulty === 0n ? head.mixHash : null,
      }
    },
  }
}
