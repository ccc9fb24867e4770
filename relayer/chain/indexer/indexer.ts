import type { Address, Hash } from 'viem'

/** The state of one chain's indexing, as all instances see it. */
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
  /** waiting: no instance has begun. resyncing: read again from the start, after a reorg deeper than the stored blocks. */
  state: 'waiting' | 'syncing' | 'live' | 'resyncing'
  /** Human-readable reason why it does not advance; null while it does. */
  problem: string | null
  watchedAddresses: number
  /** Watched addresses whose past is still being backfilled. */
  backfilling: number
  /** Holdings that must be read again. */
  staleHoldings: number
  /** Holdings whose amount is absurd, or could not be read or written. */
  problemHoldings: number
  /** Rows that the database refused and that were left out, since the database was created. */
  rowsSetAside: number
  /** Indexed blocks of which no node has shown every part yet; they are read again for a week. */
  blocksLeftOut: number
  /** Indexed blocks that stayed incomplete for that week. */
  blocksGivenUp: number
  /** Whether native balances are compared, because a block did not show all moves of native coins. */
  isComparing: boolean
  reorgs: number
  /** Blocks that the deepest of them replaced. */
  deepestReorg: number
  resyncs: number
  /** Whether this instance holds the chain's lease. */
  isWorker: boolean
  /** The source of native transfers inside calls; null before the first block here. */
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
  /** True when a reorg removed blocks: data read above blockNumber is void. */
  reorg: boolean
}

/**
 * Follows all configured chains and writes facts of watched addresses and pools to the database; db/chain/indexer has the
 * reads. One instance works on a chain at a time.
 */
export interface Indexer {
  /** Begins to follow the chains; returns at once, and retries chains that cannot be reached. */
  start(): Promise<void>
  /** Progress of every configured chain, from the database and this instance's view of the heads. */
  progress(): Promise<readonly IndexProgress[]>
  /** Why indexing by this instance does not go on, by chain id; from memory. */
  problems(): ReadonlyMap<number, string>
  /**
   * True if the chain is indexed up to the newest known head, less `slack` blocks, with no holding stale and no address's
   * past unread. False for a chain that is not configured.
   */
  isSynced(chainId: number, slack?: number): Promise<boolean>
  /**
   * Calls the listener after each change, from whichever instance made it. A change may be missed when an instance dies: it
   * signals when to read, the database has the data.
   * @returns A function that unsubscribes.
   */
  onChanged(listener: (change: IndexChange) => void): () => void
  /** Searches for new watched addresses now rather than within a second. */
  noticeAddresses(): void
  /** Ends the work and releases the chains to other instances. */
  stop(): Promise<void>
}
