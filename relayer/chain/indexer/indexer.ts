import type { Address, Hash } from 'viem'

/** How one chain's indexing fares, as all instances see it. */
export interface IndexProgress {
  chainId: number
  /** Newest indexed block; null before the first. */
  indexedBlock: bigint | null
  /** Its hash. */
  indexedHash: Hash | null
  /** Newest block that this instance has seen; null before the first. */
  headBlock: bigint | null
  /** Blocks between the two; null while one is unknown. */
  behind: number | null
  /**
   * waiting: no instance has begun. resyncing: read again from the start, after a reorg deeper than the kept blocks.
   */
  state: 'waiting' | 'syncing' | 'live' | 'resyncing'
  /** Why it does not advance, for people; null while it does. */
  problem: string | null
  watchedAddresses: number
  /** Watched addresses whose past is still being backfilled. */
  backfilling: number
  /** Holdings that are still to be read again. */
  staleHoldings: number
  /** Holdings whose amount is absurd, or could not be read or written. */
  problemHoldings: number
  /** Rows that the database refused and that were left out, since the database was made. */
  rowsSetAside: number
  /** Indexed blocks of which no node has shown every part yet; they are read again for a week. */
  blocksLeftOut: number
  /** Those that no node showed within that time. */
  blocksGivenUp: number
  /** Whether native balances are compared because some block did not show all moves of native coins. */
  isComparing: boolean
  reorgs: number
  /** Blocks that the deepest of them replaced. */
  deepestReorg: number
  resyncs: number
  /** Whether this instance does the work. */
  isWorker: boolean
  /** Where native transfers inside calls come from; null before the first block here. */
  traces: 'debug' | 'parity' | 'none' | null
}

/** Something about these addresses has changed in the database: transfers, transactions, holdings. */
export interface IndexChange {
  chainId: number
  /** Newest indexed block after the change. */
  blockNumber: bigint
  blockHash: Hash | null
  /** Watched addresses concerned; empty when only pools are. */
  addresses: readonly Address[]
  /** True when the block brought events of the pools or the Entrypoint, or a reorg took some. */
  pools: boolean
  /** True when a reorg removed blocks: what was read above blockNumber is gone. */
  reorg: boolean
}

/**
 * Follows all configured chains and writes what concerns watched addresses and pools to the database, for which
 * db/chain/indexer has the reads. One instance works on a chain at a time.
 */
export interface Indexer {
  /** Begins to follow the chains; returns at once, what cannot be reached is tried again. */
  start(): Promise<void>
  /** Of every configured chain, from the database and this instance's view of the heads. */
  progress(): Promise<readonly IndexProgress[]>
  /**
   * Whether the chain is indexed up to the newest head that this instance has seen, less `slack` blocks, with no holding
   * stale and no address's past unread. False for a chain that is not configured.
   */
  isSynced(chainId: number, slack?: number): Promise<boolean>
  /**
   * Calls the listener after each change, from whichever instance made it. A change may be missed when an instance dies
   * at the wrong moment: it says when to look, the database what there is.
   * @returns A function that ends the subscription.
   */
  onChanged(listener: (change: IndexChange) => void): () => void
  /** Looks for new watched addresses now rather than within a second. */
  noticeAddresses(): void
  /** Ends the work and gives the chains to other instances. */
  stop(): Promise<void>
}
