import type { Address, Hash, Hex } from 'viem'
import type {
  BridgeEventRow,
  PoolEventRow,
  ReadCashEvent,
  Standard,
  TransferRow,
} from '../../../db/chain/indexer/rows.ts'

/** A movement of value in a block; the block's own members are added when it is written. */
export interface FoundTransfer {
  source: TransferRow['source']
  position: number
  item: number
  txHash: Hash | null
  txIndex: number | null
  standard: Standard
  token: Address
  tokenId: bigint | null
  from: Address
  to: Address
  amount: bigint
}

/** A transaction that touches an address of the filter; `value` and `fee` in wei. */
export interface FoundTx {
  txHash: Hash
  txIndex: number
  from: Address
  to: Address | null
  txNonce: number
  value: bigint
  succeeded: boolean
  gasUsed: bigint
  fee: bigint
  selector: Hex | null
  /** Null for more than 64 KiB, and where the sender is certainly in no filter. */
  input: Hex | null
}

/** An event in the form of the pools' contracts, from any emitter; only events of known pools count. */
export type FoundPoolEvent = Omit<PoolEventRow, 'chainId' | 'blockHash' | 'blockNumber' | 'blockTime'>

/** An event of the configured SpokePool about an address of the filter. */
export type FoundBridgeEvent = Omit<BridgeEventRow, 'chainId' | 'blockHash' | 'blockNumber' | 'blockTime'>

/**
 * An event of a configured escrow, or of the orchestrator of its buyers. Deposits that others open are left out. Later
 * events are all included, because only the number of the deposit identifies its owner.
 */
export type FoundCashEvent = Omit<ReadCashEvent, 'chainId' | 'blockHash' | 'blockNumber' | 'blockTime'>

/** An IntentExecuted event of an address of the filter. `err` is 0x00000000 when the intent succeeded. */
export interface FoundIntent {
  logIndex: number
  txHash: Hash
  txIndex: number
  orchestrator: Address
  eoa: Address
  intentNonce: bigint
  incremented: boolean
  err: Hex
  /** The first log that certainly belongs to the intent, whose own event comes last; null where that is unknown. */
  firstLog: number | null
  /** The first and the last of its moves of native coins, by `item`; null without traces, 1 and 0 where it moved none. */
  firstMove: number | null
  lastMove: number | null
}

/** The two tracing methods that nodes offer. */
export type TracingMode = 'debug' | 'parity'
/** How the block's calls were read; `none` where the node has no traces. */
export type TraceMode = TracingMode | 'none'

/** A part of a block that no node showed, so that the chain went on without it. */
export type BlockPart = 'traces' | 'logs' | 'receipts'

/** Facts of a block about addresses that pass the filter, and about every contract that looks like a pool. */
export interface BlockFacts {
  number: bigint
  hash: Hash
  parentHash: Hash
  /** Seconds. */
  timestamp: number
  traces: TraceMode
  /** All moves of native coins are known. */
  isTraced: boolean
  transfers: FoundTransfer[]
  /** Native coins that a contract reports as paid out of a pool; the traces, where there are any, show them as well. */
  relayed: FoundTransfer[]
  txs: FoundTx[]
  intents: FoundIntent[]
  poolEvents: FoundPoolEvent[]
  bridgeEvents: FoundBridgeEvent[]
  cashEvents: FoundCashEvent[]
  /** Addresses whose native balance changed without a transfer: by fees or rewards. */
  nativeTouched: Address[]
  /** Parts that were left out; their money is found by comparing balances. */
  leftOut: readonly BlockPart[]
  /** A filter of all addresses in the block, for addresses that are watched later. */
  endpoints: SharedArrayBuffer
}
