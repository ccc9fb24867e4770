import type { Hash, PublicClient } from 'viem'
import type { SimulatedBlock } from '../../../proving/simulate-job.ts'
import type { ChainConfig, RelayingConfig } from './config.ts'
import type { NodeRing } from './node-ring.ts'
import type { ExtraFees } from './sending-price.ts'

/** The newest block of a chain, as far as this instance has seen. */
export interface Head {
  number: bigint
  hash: Hash
  parentHash: Hash
  /** Seconds. */
  timestamp: bigint
  /** Wei; 0 on chains without EIP-1559. */
  baseFeePerGas: bigint
  gasLimit: bigint
  /** When a node was asked for this head, by this instance or another, in milliseconds of the local clock. */
  seenAt: number
}

/**
 * Something that is read of every head. Where instances of the service share their looks, one of them reads it and the others
 * take its word.
 */
export interface HeadReading {
  /** Tells it from the chain's other readings. */
  readonly name: string
  /** Asks the nodes. */
  read(): Promise<void>
  /** What was read of the newest head, for other instances; null where it was not. */
  write(): string | null
  /** Takes over what another instance wrote. @returns False where it does not continue what is known: then it is read here. */
  take(told: string): boolean
}

/** One configured chain: its settings, its client (fails over between the RPC URLs) and its newest block. */
export interface Chain<Config extends ChainConfig = ChainConfig> {
  readonly config: Config
  /** Calls made in the same tick travel as one JSON-RPC batch: one round trip. */
  readonly client: PublicClient
  /**
   * For reading contracts that the operator configured: calls made in the same tick are one `eth_call`. Not for others, for one of
   * them could use up the gas of all.
   */
  readonly contracts: PublicClient
  /** The nodes behind both clients, and which of them is asked first. */
  readonly nodes: NodeRing
  /** Newest block seen, null before the first answer. */
  head(): Head | null
  /** Milliseconds between two blocks, as of late; null while too few were seen, and where blocks come on demand. */
  usualBlockMs(): number | null
  /** Wei per gas that the node suggests as a tip, read on every head; null before, and on chains without signers. */
  tip(): bigint | null
  /** Reads the tip, unless that was done within a poll's time: it may rise while no block comes. */
  refreshTip(): Promise<void>
  /** Nodes refused a lower tip than this (wei per gas); for ten minutes `tip` is no lower. */
  raiseTip(tip: bigint): void
  /**
   * The block that a transaction sent now would be in, foreseen from the newest head; proposer and randomness are the
   * head's. Null before the first head; makes no request.
   */
  nextBlock(): SimulatedBlock | null
  /** The chain's charges in addition to gas; null before the first answer. */
  extraFees(): ExtraFees | null
  /**
   * Calls the listener on every new head, in order. A listener that throws is logged and called again at the next
   * poll.
   *
   * @returns A function that unsubscribes.
   */
  onHead(listener: (head: Head) => void | Promise<void>): () => void
  /** The same for something that is read of every head; at the next poll again where that failed. */
  onHeadRead(reading: HeadReading): () => void
  /** Reads the head now and tells the listeners; concurrent calls share one round trip. */
  refresh(): Promise<Head>
  /** Whether this instance looks at the chain; false while another does and tells it. Both may for a moment. */
  isLooking(): boolean
}

/** A chain on which the service has signers. */
export type RelayingChain = Chain<RelayingConfig>

/** All configured chains by id. */
export type Chains = ReadonlyMap<number, Chain>
/** The chains on which the service has signers, by id. */
export type RelayingChains = ReadonlyMap<number, RelayingChain>
