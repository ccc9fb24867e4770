import { z } from 'zod'

/** Settings of the indexer. Times in milliseconds. */
export const indexerConfig = z.strictObject({
  /** Without it this instance leaves the indexing to others. */
  enabled: z.boolean().default(true),
  /** Blocks that a reorg may remove; a deeper one makes the indexer read everything again. */
  depth: z.int().min(1).max(10_000).default(64),
  /** How long a lease lasts without renewal: after a crash another instance waits this long. */
  leaseMs: z.int().min(1_000).max(600_000).default(15_000),
  /** Interval of the search for new addresses and stale holdings when no block comes. */
  lookMs: z.int().min(20).max(60_000).default(500),
  /** Blocks that are read at once while catching up. */
  parallelBlocks: z.int().min(1).max(64).default(8),
  /** Blocks that one eth_getLogs may span; halved whenever a node refuses the range as too large. */
  logRange: z.int().min(1).max(1_000_000).default(10_000),
  /** Addresses whose past one eth_getLogs searches. */
  addressesPerQuery: z.int().min(1).max(1_000).default(200),
  /** New addresses that are watched at once; if more wait, their past may be read together. */
  addressesPerLook: z.int().min(1).max(20_000).default(5_000),
  /** Holdings that are read again at once. */
  holdingsPerRead: z.int().min(1).max(5_000).default(400),
  /** Addresses whose native balance is compared after each head, in turns, where no node has traces. */
  sweepPerHead: z.int().min(0).max(100_000).default(2_000),
  /** Held tokens whose balances are compared each minute, in turns: some change without a log. */
  tokensPerSweep: z.int().min(0).max(5_000).default(100),
  /** A block of which no node shows every part holds up its chain for so long; then the chain continues by balances. */
  concedeAfterMs: z.int().min(0).max(86_400_000).default(60_000),
  /** Limit of one request to a node. */
  timeoutMs: z.int().min(50).max(300_000).default(15_000),
  /** A head below the indexed one, as of a chain that lost blocks, is accepted after it has stood this long. */
  rollbackGraceMs: z.int().min(0).max(3_600_000).default(15_000),
})

/** The indexer's settings after parsing, defaults filled in. */
export type IndexerConfig = z.output<typeof indexerConfig>
