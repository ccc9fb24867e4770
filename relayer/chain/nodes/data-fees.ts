import { parseAbi, type Address, type PublicClient } from 'viem'

/** Where every OP-stack chain has it. */
const GAS_PRICE_ORACLE: Address = '0x420000000000000000000000000000000000000F'
const oracleAbi = parseAbi(['function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)'])

/**
 * Sizes in bytes for which the fee is read. Below the smaller one its fee is used; none of our transactions is that
 * small.
 */
const [SMALL, LARGE] = [256, 131_328]

/** What a chain charges for publishing a transaction on another chain, in addition to gas. */
export interface DataFees {
  /** Asks the chain: two calls in one batch. */
  refresh(): Promise<void>
  /** Wei for a transaction of so many bytes without its signature; null before the first answer. */
  feeOf(bytes: number): bigint | null
}

/**
 * The L1 data fee of an OP-stack chain, by GasPriceOracle.getL1FeeUpperBound (since Fjord): its bound is a line above some
 * 170 bytes, so two sizes tell all others. It holds for data that compresses badly, as proofs and signatures do.
 */
export function createDataFees(client: PublicClient): DataFees {
  let known: { small: bigint; large: bigint } | null = null
  const read = (bytes: number) =>
    client.readContract({
      address: GAS_PRICE_ORACLE,
      abi: oracleAbi,
      functionName: 'getL1FeeUpperBound',
      args: [BigInt(bytes)],
    })

  return {
    async refresh() {
      const [small, large] = await Promise.all([read(SMALL), read(LARGE)])
      known = { small, large }
    },
    feeOf(bytes) {
      if (!known) return null
      const beyond = BigInt(Math.max(0, bytes - SMALL))
      const length = BigInt(LARGE - SMALL)
      return known.small + ((known.large - known.small) * beyond + length - 1n) / length
    },
  }
}
