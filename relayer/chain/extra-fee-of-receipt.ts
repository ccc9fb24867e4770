import type { Hex } from 'viem'

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
