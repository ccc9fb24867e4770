import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  parseAbi,
  type Address,
  type PublicClient,
  type Hex,
} from 'viem'
import { z } from 'zod'
import type { HeadReading } from './chain.ts'
import { quantityCodec } from './head-news.ts'
import { L1_SIZES, OPERATOR_GAS, type ExtraFees } from './sending-price.ts'

/** Its address on every OP-stack chain. */
export const GAS_PRICE_ORACLE: Address = '0x420000000000000000000000000000000000000F'
const oracleAbi = parseAbi([
  'function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)',
  'function getOperatorFee(uint256 gasUsed) view returns (uint256)',
])

const extraFees = z.object({
  l1Small: quantityCodec,
  l1Large: quantityCodec,
  operatorLeast: quantityCodec,
  operatorLarge: quantityCodec,
}) satisfies z.ZodType<ExtraFees>

/** The {@link ExtraFees} of a chain, read at every head. */
export interface ExtraFeesReading {
  /** Asks the chain: four calls in one batch. */
  reading: HeadReading
  /** Null before the first answer. */
  known(): ExtraFees | null
}

/** Reads the highest fee in wei of a transaction of so many bytes, unsigned, for its data on Ethereum. */
export const readL1Fee = (client: PublicClient, bytes: number): Promise<bigint> =>
  client.readContract({
    address: GAS_PRICE_ORACLE,
    abi: oracleAbi,
    functionName: 'getL1FeeUpperBound',
    args: [BigInt(bytes)],
  })

/**
 * The extra fees of an OP-stack chain, by its GasPriceOracle. `getL1FeeUpperBound` (since Fjord) is linear above some 170
 * bytes, so two sizes give all others. It suits data that compresses badly, such as proofs and signatures. `getOperatorFee`
 * (since Isthmus) is linear in the gas, by the formula of the chain's version.
 */
export function createExtraFees(client: PublicClient): ExtraFeesReading {
  let known: ExtraFees | null = null
  const readOperatorFee = (gas: bigint) =>
    client
      .readContract({
        address: GAS_PRICE_ORACLE,
        abi: oracleAbi,
        functionName: 'getOperatorFee',
        args: [gas],
      })
      .catch((error: unknown) => {
        // An existing fee does not vanish: a node that denies it is asked again.
        if (isMissing(error) && !known?.operatorLarge) return 0n
        throw error
      })

  return {
    reading: {
      name: 'extra fees',
      async read() {
        const [l1Small, l1Large, operatorLeast, operatorLarge] = await Promise.all([
          readL1Fee(client, L1_SIZES.small),
          readL1Fee(client, L1_SIZES.large),
          readOperatorFee(0n),
          readOperatorFee(OPERATOR_GAS),
        ])
        known = { l1Small, l1Large, operatorLeast, operatorLarge }
      },
      write: () => known && JSON.stringify(z.encode(extraFees, known)),
      take(told) {
        const taken = extraFees.safeParse(JSON.parse(told))
        if (taken.success) known = taken.data
        return taken.success
      },
    },
    known: () => known,
  }
}

/** The oracle has no such function, because the chain is older than Isthmus. A silent node does not count. */
const isMissing = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk(
    (cause) =>
      cause instanceof ContractFunctionRevertedError || cause instanceof ContractFunctionZeroDataError,
  ) !== null

/** Further members of receipts on the OP stack; absent elsewhere, and on chains older than the member. */
export interface ExtraFeeMembers {
  /** Wei for publishing the transaction on another chain. */
  l1Fee?: Hex | null
  /** Since Isthmus. */
  operatorFeeScalar?: Hex | null
  operatorFeeConstant?: Hex | null
  /** Since Jovian, which also scales the operator fee differently. */
  daFootprintGasScalar?: Hex | null
}

/** Returns the wei that a mined transaction cost in addition to gas · effective gas price. */
export function extraFeeOfReceipt(receipt: ExtraFeeMembers, gasUsed: bigint): bigint {
  const scaled = gasUsed * BigInt(receipt.operatorFeeScalar ?? 0)
  const isJovian = (receipt.daFootprintGasScalar ?? null) !== null
  const perGas = isJovian ? scaled * 100n : scaled / 1_000_000n
  return BigInt(receipt.l1Fee ?? 0) + perGas + BigInt(receipt.operatorFeeConstant ?? 0)
}
