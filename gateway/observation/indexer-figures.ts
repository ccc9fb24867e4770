import { Gauge, type Registry } from 'prom-client'
import type { IndexProgress } from '../../relayer/chain/indexer/indexer.ts'

const FIGURES: readonly [name: string, help: string, read: (progress: IndexProgress) => number | null][] = [
  ['indexer_block', 'Newest indexed block.', ({ indexedBlock }) => toNumber(indexedBlock)],
  ['indexer_blocks_behind', 'Blocks between the index and the head.', ({ behind }) => behind],
  [
    'indexer_live',
    '1 while the index follows the head, without a problem.',
    ({ state, problem }) => Number(state === 'live' && problem === null),
  ],
  ['indexer_watched_addresses', 'Addresses that are watched.', ({ watchedAddresses }) => watchedAddresses],
  [
    'indexer_backfilling_addresses',
    'Watched addresses whose past is being read.',
    ({ backfilling }) => backfilling,
  ],
  [
    'indexer_stale_holdings',
    'Balances that are to be read again; counted up to 100,000.',
    ({ staleHoldings }) => staleHoldings,
  ],
  [
    'indexer_problem_holdings',
    'Balances that are absurd (2^255 or more), or could not be read or written; counted up to 100,000.',
    ({ problemHoldings }) => problemHoldings,
  ],
  [
    'indexer_blocks_left_out',
    'Indexed blocks of which no node has shown every part; they are read again for a week.',
    ({ blocksLeftOut }) => blocksLeftOut,
  ],
  [
    'indexer_blocks_given_up',
    'Blocks of which no node showed every part within a week.',
    ({ blocksGivenUp }) => blocksGivenUp,
  ],
  [
    'indexer_comparing',
    '1 while all native balances are compared, because a block did not show all moves of native coins.',
    ({ isComparing }) => Number(isComparing),
  ],
  [
    'indexer_rows_set_aside',
    'Rows of blocks and balances that the database refused; the rest of their block was written.',
    ({ rowsSetAside }) => rowsSetAside,
  ],
  ['indexer_reorgs', 'Reorgs since the database was made.', ({ reorgs }) => reorgs],
  [
    'indexer_deepest_reorg_blocks',
    'Blocks that the deepest reorg removed.',
    ({ deepestReorg }) => deepestReorg,
  ],
  [
    'indexer_resyncs',
    'Times that everything was read again, after a reorg deeper than `indexer.depth`.',
    ({ resyncs }) => resyncs,
  ],
  ['indexer_is_worker', '1 where this instance indexes the chain.', ({ isWorker }) => Number(isWorker)],
]

const toNumber = (value: bigint | null) => (value === null ? null : Number(value))

/** Registers the progress of indexing, by chain. */
export function registerIndexerFigures(
  registry: Registry,
  progress: () => Promise<readonly IndexProgress[]>,
): void {
  for (const [name, help, read] of FIGURES) {
    const gauge = new Gauge({
      name,
      help,
      labelNames: ['chain'],
      registers: [registry],
      async collect() {
        gauge.reset()
        for (const chain of await progress()) {
          const value = read(chain)
          if (value !== null) gauge.set({ chain: chain.chainId }, value)
        }
      },
    })
  }
}
