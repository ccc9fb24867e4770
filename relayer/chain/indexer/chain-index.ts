import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { Address, Hash } from 'viem'
import type { Chain } from '../nodes/chain.ts'
import type { AddressFilter } from './address-filter.ts'
import type { Nodes } from './ask-nodes.ts'
import type { BlockFacts, TraceMode } from './block-facts.ts'
import type { IndexerConfig } from './config.ts'
import type { IndexChange } from './indexer.ts'
import type { BlockRequest } from './read-block.ts'

/** The newest indexed block; without a hash before the first. */
export interface Cursor {
  number: bigint
  hash: Hash | null
}

/** One chain as this instance indexes it. The database is authoritative. */
export interface ChainIndex {
  readonly chain: Chain
  readonly chainId: number
  readonly startBlock: bigint
  readonly config: IndexerConfig
  readonly pool: DatabasePool
  readonly owner: string
  readonly log: Logger
  readonly nodes: Nodes
  /** Contracts that execute intents, present and past ones. */
  readonly orchestrators: readonly Address[]
  /** All watched addresses, possibly with those of other chains. */
  readonly filter: AddressFilter
  /** Reads a block in the thread. */
  read(request: Pick<BlockRequest, 'block' | 'parentHash' | 'isPast' | 'concede'>): Promise<BlockFacts>
  /** Publishes to all instances. */
  publish(change: Omit<IndexChange, 'chainId'>): void
  cursor: Cursor
  /** Term of the lease under which this state was loaded. */
  term: bigint
  /** Whether this instance holds the lease and has loaded the state. */
  isOurs: boolean
  /** Highest block that was requested with an earlier filter and is possibly still pending. */
  requested: bigint
  /** Pools and the Entrypoint, checksummed. */
  readonly poolContracts: Set<string>
  /** The addresses in recent blocks, by block hash. */
  readonly endpoints: Map<Hash, SharedArrayBuffer>
  traces: TraceMode | null
  /** Newest block that did not show all moves of native coins; null while all did. */
  untracedTo: bigint | null
  /** The block up to which all watched native balances have been compared since; null before. */
  sweptTo: bigint | null
  /**
   * The pending comparison: the last address it compared, and the block up to which it will count. A reorg lowers that
   * block. Null between two comparisons.
   */
  sweep: { after: string; upTo: bigint } | null
  /**
   * The block that no node shows correctly, since when in milliseconds, and whether the one after it can be read. Null while
   * there is none.
   */
  stuck: { block: bigint; since: number; isAlone: boolean } | null
  /** Past blocks and ranges that could not be read, and since when in milliseconds. */
  readonly heldPast: Map<string, number>
  /** Milliseconds timestamp until which blocks are read without traces if no node shows theirs at once. */
  concedesUntil: number
  /** URLs of nodes that reported to have no trace_filter. */
  readonly withoutTraceFilter: Set<string>
  /** Since when the head has been below the cursor, in milliseconds; null while it is not. */
  belowSince: number | null
  /** Creation time from which addresses may be new; null before the first search. */
  newcomersFrom: Date | null
  /** The last block that the pass over the past of many addresses has read here. */
  passTip: Cursor | null
  /** Blocks that the next eth_getLogs over a range may span. */
  logRange: bigint
  /** Whether work other than new blocks may have arrived since the last check; the indexer's clock checks anyway. */
  mayWait: boolean
  /** Why the work does not go on, once that persists; null while it does. */
  problem: string | null
  stopped: boolean
}

/** True if all native balances must be compared: a block since the last comparison did not show all moves. */
export const isSweepOwed = ({ untracedTo, sweptTo }: Pick<ChainIndex, 'untracedTo' | 'sweptTo'>): boolean =>
  untracedTo !== null && (sweptTo === null || sweptTo < untracedTo)

/** True while this instance should continue with the chain. */
export const goesOn = ({ isOurs, stopped }: ChainIndex): boolean => isOurs && !stopped
