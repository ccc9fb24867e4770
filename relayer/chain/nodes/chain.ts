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
  /** When a node was asked for this head, by this instance or another; milliseconds of the local clock. */
  seenAt: number
}

/**
 * Data that is read at every head. Among instances that share their reads, one reads it and the others accept its result.
 */
export interface HeadReading {
  /** Distinguishes it from the chain's other readings. */
  readonly name: string
  /** Asks the nodes. */
  read(): Promise<void>
  /** Returns the data read at the newest head, encoded for other instances; null if it was not read. */
  write(): string | null
  /** Applies what another instance wrote. @returns False if it does not continue the known data: then it is read here. */
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
  /** The nodes behind both clients, in the order in which they are asked. */
  readonly nodes: NodeRing
  /** Newest known block; null before the first answer. */
  head(): Head | null
  /** Milliseconds between two recent blocks on average; null while too few are known, and where blocks come on demand. */
  usualBlockMs(): number | null
  /** Milliseconds that the local clock is ahead of the chain's; null where unknown, and where blocks come on demand. */
  clockAheadMs(): number | null
  /** Wei per gas that the node suggests as a tip, read at every head; null before, and on chains without signers. */
  tip(): bigint | null
  /** Reads the tip, unless it was read within the last poll interval: it may rise while no block comes. */
  refreshTip(): Promise<void>
  /** Records that nodes refused a lower tip than this (wei per gas): for ten minutes `tip` is no lower. */
  raiseTip(tip: bigint): void
  /**
   * The predicted block of a transaction sent now, from the newest head; proposer and randomness are the head's. Null before
   * the first head; makes no request.
   */
  nextBlock(): SimulatedBlock | null
  /** The chain's charges in addition to gas; null before the first answer. */
  extraFees(): ExtraFees | null
  /**
   * Calls the listener on every new head, in order. If it throws, the error is logged and it is called again at the next
   * poll.
   *
   * @returns A function that unsubscribes.
   */
  onHead(listener: (head: Head) => void | Promise<void>): () => void
  /** Registers a reading of every head; after a failure it is read again at the next poll. */
  onHeadRead(reading: HeadReading): () => void
  /** Reads the head now and notifies the listeners; concurrent calls share one round trip. */
  refresh(): Promise<Head>
  /**
   * True while this instance polls the chain; false while another polls and publishes its heads. Two instances may poll for
   * a moment.
   */
  isLooking(): boolean
}

/** A chain on which the service has signers. */
export type RelayingChain = Chain<RelayingConfig>

/** All configured chains by id. */
export type Chains = ReadonlyMap<number, Chain>
/** The chains on which the service has signers, by id. */
export type RelayingChains = ReadonlyMap<number, RelayingChain>
