import { parseAbi, type Address, type PublicClient } from 'viem'
import { z } from 'zod'
import type { HeadReading } from './chain.ts'
import { quantity } from './head-news.ts'

/** Where every OP-stack chain has it. */
const GAS_PRICE_ORACLE: Address = '0x420000000000000000000000000000000000000F'
const oracleAbi = parseAbi(['function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)'])

/**
 * Sizes in bytes for which the fee is read. Below the smaller one its fee is used; none of our transactions is that
 * small.
 */
const [SMALL, LARGE] = [256, 131_328]

/** Wei for the two sizes. */
const bounds = z.object({ small: quantity, large: quantity })

/** What a chain charges for publishing a transaction on another chain, in addition to gas. */
export interface DataFees {
  /** Asks the chain: two calls in one batch. */
  reading: HeadReading
  /** Wei for a transaction of so many bytes without its signature; null before the first answer. */
  feeOf(bytes: number): bigint | null
}

/**
 * The L1 data fee of an OP-stack chain, by GasPriceOracle.getL1FeeUpperBound (since Fjord): its bound is a line above some
 * 170 bytes, so two sizes tell all others. It holds for data that compresses badly, as proofs and signatures do.
 */
export function createDataFees(client: PublicClient): DataFees {
  let known: z.output<typeof bounds> | null = null
  const read = (bytes: number) =>
    client.readContract({
      address: GAS_PRICE_ORACLE,
      abi: oracleAbi,
      functionName: 'getL1FeeUpperBound',
      args: [BigInt(bytes)],
    })

  return {
    reading: {
      name: 'data fees',
      async read() {
        const [small, large] = await Promise.all([read(SMALL), read(LARGE)])
        known = { small, large }
      },
      write: () => known && JSON.stringify(z.encode(bounds, known)),
      take(told) {
        const taken = bounds.safeParse(JSON.parse(told))
        if (taken.success) known = taken.data
        return taken.success
      },
    },
    feeOf(bytes) {
      if (!known) return null
      const beyond = BigInt(Math.max(0, bytes - SMALL))
      const length = BigInt(LARGE - SMALL)
      return known.small + ((known.large - known.small) * beyond + length - 1n) / length
    },
  }
}
