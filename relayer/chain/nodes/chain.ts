import type { Hash, PublicClient } from 'viem'
import type { SimulatedBlock } from '../../../proving/proving-pool.ts'
import type { ChainConfig, RelayingConfig } from './config.ts'

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
  /** When this head was read, in milliseconds of the local clock. */
  seenAt: number
}

/** One configured chain: its settings, its client (fails over between the RPC URLs) and its newest block. */
export interface Chain<Config extends ChainConfig = ChainConfig> {
  readonly config: Config
  /** Calls made in the same tick travel as one JSON-RPC batch: one round trip. */
  readonly client: PublicClient
  /** Newest block seen, null before the first answer. */
  head(): Head | null
  /**
   * The block that a transaction sent now would be in, as the newest head lets it be foreseen: proposer and randomness
   * are the head's. Null before the first head; asks nobody.
   */
  nextBlock(): SimulatedBlock | null
  /**
   * Wei that the chain takes for publishing a transaction of so many bytes (without its signature), beside its gas: 0 on
   * chains that take none; null before the first answer.
   */
  dataFee(bytes: number): bigint | null
  /** Called on every new head, in order; a listener that throws is logged and called again at the next look at the chain. Returns the unsubscribe function. */
  onHead(listener: (head: Head) => void | Promise<void>): () => void
  /** Reads the head now and tells the listeners; concurrent calls share one round trip. */
  refresh(): Promise<Head>
}

/** A chain on which the service has signers. */
export type RelayingChain = Chain<RelayingConfig>

/** All configured chains by id. */
export type Chains = ReadonlyMap<number, Chain>
/** The chains on which the service has signers, by id. */
export type RelayingChains = ReadonlyMap<number, RelayingChain>
