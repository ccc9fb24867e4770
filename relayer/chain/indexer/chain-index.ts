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
  /** All watched addresses, and maybe those of other chains. */
  readonly filter: AddressFilter
  /** Reads a block in the thread. */
  read(request: Pick<BlockRequest, 'block' | 'parentHash' | 'isPast' | 'concede'>): Promise<BlockFacts>
  /** Tells all instances. */
  publish(change: Omit<IndexChange, 'chainId'>): void
  cursor: Cursor
  /** Term of the lease under which this state was loaded. */
  term: bigint
  /** Whether this instance holds the lease and has loaded the state. */
  isOurs: boolean
  /** Highest block that was requested with an earlier filter and may still arrive. */
  requested: bigint
  /** Pools and the Entrypoint, checksummed. */
  readonly poolContracts: Set<string>
  /** Who took part in recent blocks, by their hash. */
  readonly endpoints: Map<Hash, SharedArrayBuffer>
  traces: TraceMode | null
  /** Newest block that did not show all moves of native coins; null while all did. */
  untracedTo: bigint | null
  /** Up to which block the native balances of all who are watched have been compared since; null before. */
  sweptTo: bigint | null
  /**
   * The comparison that is under way: the last address it compared, and up to which block its end counts, which a reorg lowers;
   * null between two.
   */
  sweep: { after: string; upTo: bigint } | null
  /**
   * The block that no node gives as it should be, since when in milliseconds, and whether the one after it can be read; null
   * while there is none.
   */
  stuck: { block: bigint; since: number; isAlone: boolean } | null
  /** Blocks and ranges of the past that could not be read, and since when in milliseconds. */
  readonly heldPast: Map<string, number>
  /** Until when blocks whose traces no node shows at once are read without. Milliseconds. */
  concedesUntil: number
  /** URLs of nodes that said that they have no trace_filter. */
  readonly withoutTraceFilter: Set<string>
  /** Since when the head has been below the cursor, in milliseconds; null while it is not. */
  belowSince: number | null
  /** Creation time from which on addresses may be new; null before the first look. */
  newcomersFrom: Date | null
  /** The last block that the pass over the past of many addresses has read here. */
  passTip: Cursor | null
  /** Blocks that the next eth_getLogs over a range may span. */
  logRange: bigint
  /** Whether work besides new blocks may have come since it was last asked for; the clock of the indexer asks anyway. */
  mayWait: boolean
  stopped: boolean
}

/** Whether all native balances are to be compared: a block did not show all moves since they were compared last. */
export const isSweepOwed = ({ untracedTo, sweptTo }: Pick<ChainIndex, 'untracedTo' | 'sweptTo'>): boolean =>
  untracedTo !== null && (sweptTo === null || sweptTo < untracedTo)

/** True for as long as this instance should go on with the chain. */
export const goesOn = ({ isOurs, stopped }: ChainIndex): boolean => isOurs && !stopped
