import {
  formatTransactionReceipt,
  type Hash,
  type PublicClient,
  type RpcTransactionReceipt,
  type TransactionReceipt,
} from 'viem'
import { extraFeeOfReceipt, type ExtraFeeMembers } from '../nodes/extra-fees.ts'

/** A receipt, and the chain's charges in addition to gas. */
export type PaidReceipt = TransactionReceipt & {
  /** Wei. */
  extraFee: bigint
}

/** A receipt as nodes show it. */
export type RawPaidReceipt = RpcTransactionReceipt & ExtraFeeMembers

/** Null for a receipt without a block, which some nodes show for pending transactions. */
export const toPaidReceipt = (receipt: RawPaidReceipt | null): PaidReceipt | null =>
  receipt?.blockHash
    ? {
        ...formatTransactionReceipt(receipt),
        extraFee: extraFeeOfReceipt(receipt, BigInt(receipt.gasUsed)),
      }
    : null

/** Reads receipts by hash, omitting those that the node lacks; one JSON-RPC batch. */
export async function readReceipts(
  client: PublicClient,
  hashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, PaidReceipt>> {
  const receipts = await Promise.all(
    hashes.map((hash) =>
      client.request<{
        Method: 'eth_getTransactionReceipt'
        Parameters: [Hash]
        ReturnType: RawPaidReceipt | null
      }>({ method: 'eth_getTransactionReceipt', params: [hash] }),
    ),
  )
  return new Map(
    receipts.flatMap((receipt) => {
      const paid = toPaidReceipt(receipt)
      return paid ? [[paid.transactionHash, paid] as const] : []
    }),
  )
}
