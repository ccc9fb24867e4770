import type { Address, Hash, Hex } from 'viem'
import type { ExtraFeeMembers } from '../nodes/extra-fees.ts'

/** The used members of a node's JSON. Quantities are hex. */
export interface RawLog {
  address: Address
  topics: readonly Hex[]
  data: Hex
  blockHash: Hash
  blockNumber: Hex
  transactionHash: Hash
  transactionIndex: Hex
  logIndex: Hex
}

/** A transaction in the JSON form of the nodes. */
export interface RawTransaction {
  hash: Hash
  transactionIndex: Hex
  from: Address
  to: Address | null
  nonce: Hex
  value: Hex
  input: Hex
  gasPrice?: Hex
}

/** A block with its transactions in the JSON form of the nodes; withdrawals in gwei, timestamp in seconds. */
export interface RawBlock {
  number: Hex
  hash: Hash
  parentHash: Hash
  timestamp: Hex
  logsBloom: Hex
  miner: Address
  transactions: readonly RawTransaction[]
  withdrawals?: readonly { address: Address; amount: Hex }[]
}

/** A receipt in the JSON form of the nodes; only the members that are used. */
export interface RawReceipt extends ExtraFeeMembers {
  transactionHash: Hash
  blockHash: Hash
  status?: Hex
  gasUsed: Hex
  effectiveGasPrice?: Hex
  blobGasUsed?: Hex
  blobGasPrice?: Hex
  logs: readonly RawLog[]
}

/** callTracer's form of a call. */
export interface RawCallFrame {
  type: string
  from: Address
  to?: Address
  value?: Hex
  error?: string | null
  calls?: readonly RawCallFrame[]
}

/** Parity's form of a call. */
export interface RawFlatTrace {
  type: string
  action: {
    from?: Address
    to?: Address
    value?: Hex
    callType?: string
    // Of a selfdestruct.
    address?: Address
    refundAddress?: Address
    balance?: Hex
  }
  result?: { address?: Address } | null
  error?: string | null
  traceAddress: readonly number[]
  transactionHash?: Hash | null
  /** Absent or null for rewards of the block, which belong to no transaction. */
  transactionPosition?: number | null
  blockHash: Hash
}
