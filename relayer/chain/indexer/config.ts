import { z } from 'zod'

/** Settings of the indexer. Times in milliseconds. */
export const indexerConfig = z.strictObject({
  enabled: z.boolean().default(true).describe('Without it this instance leaves the indexing to others.'),
  depth: z
    .int()
    .min(1)
    .max(10_000)
    .default(64)
    .describe('Blocks that a reorg may remove; a deeper one makes the indexer read everything again.'),
  leaseMs: z
    .int()
    .min(1_000)
    .max(600_000)
    .default(5_000)
    .describe('How long a lease lasts without renewal: after a crash another instance waits this long.'),
  lookMs: z
    .int()
    .min(20)
    .max(60_000)
    .default(500)
    .describe('Interval of the search for new addresses and stale holdings when no block comes.'),
  parallelBlocks: z
    .int()
    .min(1)
    .max(64)
    .default(8)
    .describe('Blocks that are read at once while catching up.'),
  logRange: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(10_000)
    .describe('Blocks that one eth_getLogs may span; halved whenever a node refuses the range as too large.'),
  addressesPerQuery: z
    .int()
    .min(1)
    .max(1_000)
    .default(200)
    .describe('Addresses whose past one eth_getLogs searches.'),
  addressesPerLook: z
    .int()
    .min(1)
    .max(20_000)
    .default(5_000)
    .describe('New addresses that are watched at once; if more wait, their past may be read together.'),
  holdingsPerRead: z.int().min(1).max(5_000).default(400).describe('Holdings that are read again at once.'),
  sweepPerHead: z
    .int()
    .min(0)
    .max(100_000)
    .default(2_000)
    .describe(
      'Addresses whose native balance is compared after each head, in turns, after a block that did ' +
        'not show all moves of native coins.',
    ),
  tokensPerSweep: z
    .int()
    .min(0)
    .max(5_000)
    .default(100)
    .describe(
      'Held tokens whose balances are compared with their contracts each minute, in turns, because ' +
        'some balances change without a log; 0 for none.',
    ),
  concedeAfterMs: z
    .int()
    .min(0)
    .max(86_400_000)
    .default(60_000)
    .describe(
      'A block of which no node shows every part holds up its chain for so long; then the chain ' +
        'continues by balances.',
    ),
  timeoutMs: z.int().min(50).max(300_000).default(15_000).describe('Limit of one request to a node.'),
  rollbackGraceMs: z
    .int()
    .min(0)
    .max(3_600_000)
    .default(15_000)
    .describe(
      'A head below the indexed one, as of a chain that lost blocks, is accepted after it has stood ' +
        'this long.',
    ),
})

/** The indexer's settings after parsing, defaults filled in. */
export type IndexerConfig = z.output<typeof indexerConfig>
