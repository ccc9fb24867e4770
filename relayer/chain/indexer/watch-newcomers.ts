import {
  findNewcomers,
  readNewestMoment,
  readWatched,
  watchAddresses,
} from '../../../db/chain/indexer/watched-addresses.ts'
import type { ChainIndex } from './chain-index.ts'
import { onChain } from './commit-blocks.ts'

const PER_PAGE = 10_000
const PER_LOOK = 5_000

/** Puts into the filter all that the chain watches already. */
export async function loadWatched({ pool, chainId, filter }: ChainIndex): Promise<void> {
  let after = ''
  for (;;) {
    const page = await readWatched(pool, chainId, after, PER_PAGE)
    for (const address of page) filter.add(address)
    const last = page.at(-1)
    if (last === undefined || page.length < PER_PAGE) return
    after = last
  }
}

/** Begins to watch new addresses; blocks that have not been requested yet are matched with them. */
export async function watchNewcomers(index: ChainIndex): Promise<void> {
  const { pool, chainId, filter, startBlock } = index
  // Read before the first look, which goes through all addresses: later ones need not, though it finds none.
  const before = index.newcomersSince ? null : await readNewestMoment(pool)
  for (;;) {
    const newcomers = await findNewcomers(pool, chainId, index.newcomersSince, PER_LOOK)
    const newest = newcomers.at(-1)
    if (!newest) {
      index.newcomersSince ??= before
      return
    }
    const addresses = newcomers.map(({ address }) => address)
    for (const address of addresses) filter.add(address)
    const highest = index.requested > index.cursor.number ? index.requested : index.cursor.number
    await onChain(index, (transaction) =>
      watchAddresses(transaction, chainId, addresses, { liveFrom: highest + 1n, startBlock }),
    )
    index.newcomersSince = newest.createdAt
  }
}
