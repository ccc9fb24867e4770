import { hexToBigInt, numberToHex, type Block, type PublicClient } from 'viem'
import { z } from 'zod'
import type { SimulatedBlock } from '../../../proving/simulate-job.ts'
import { computeNextBaseFee } from '../../../proving/simulation/next-base-fee.ts'
import { findBlockSeconds, foreseeTimestamp } from './find-block-seconds.ts'

/** Heads that tell how fast the chain is. */
const REMEMBERED = 9

const quantity = z.templateLiteral(['0x', z.string()]).transform((hex) => hexToBigInt(hex))
/** Of the requested block and of the one after it. */
const feeHistory = z.object({
  baseFeePerGas: z.array(quantity).min(2),
  baseFeePerBlobGas: z.array(quantity).nullish(),
})

type Head = Block<bigint, false, 'latest'>

/** Foretells the block after the head. */
export interface BlockForecast {
  /**
   * Takes over a new head and asks the node for the base fee that follows it: each chain has its own rule. The question
   * may join a batch; no answer is no failure.
   */
  note(head: Head): Promise<void>
  /** Null before the first head. `now` in milliseconds. */
  next(now: number): SimulatedBlock | null
}

/**
 * Creates the forecast of one chain. `note` is told every new head and reads the next fees from the node; `next`
 * only computes.
 */
export function createBlockForecast(client: PublicClient): BlockForecast {
  let heads: Head[] = []
  let fees: { of: Head; base: bigint; blob: bigint | null } | null = null

  async function readNextFees({ number }: Head): Promise<z.output<typeof feeHistory> | null> {
    try {
      const params = ['0x1', numberToHex(number), []] as const
      return feeHistory.parse(await client.request({ method: 'eth_feeHistory', params } as never))
    } catch {
      return null
    }
  }

  return {
    async note(head) {
      // What a reorg took back says nothing of the chain's pace.
      heads = [...heads.filter(({ number }) => number < head.number), head].slice(-REMEMBERED)
      const next = await readNextFees(head)
      const base = next?.baseFeePerGas.at(-1)
      if (base === undefined || heads.at(-1) !== head) return
      fees = { of: head, base, blob: next?.baseFeePerBlobGas?.at(-1) ?? null }
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
