import {
  countNewcomers,
  findNewcomers,
  lookFrom,
  readOldestTransaction,
  readWatched,
  watchAddresses,
  type FoundNewcomers,
  type Newcomer,
} from '../../../db/chain/indexer/watched-addresses.ts'
import { goesOn, type ChainIndex } from './chain-index.ts'
import { onChain } from './commit-blocks.ts'
import { findFunded } from './find-funded.ts'

const PER_PAGE = 10_000
/** New addresses by which it is decided how their past is read. */
const MOST_COUNTED = 100_000

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
  const { pool, chainId, config } = index
  const { newcomers, newest: newestOfAll } = await findNewcomers(
    pool,
    chainId,
    { from: index.newcomersFrom, after: null },
    config.addressesPerLook,
  )
  const newest = newcomers.at(-1)
  if (!newest) {
    // The first look goes through all addresses: later ones need not, though it finds none.
    index.newcomersFrom ??= newestOfAll && lookFrom(newestOfAll)
    return
  }
  if (newcomers.length === config.addressesPerLook) return watchMany(index)
  await watch(index, newcomers, {})
  index.newcomersFrom = lookFrom(newest.createdAt)
}

/** Watches page by page, so that each is written in the order of the index that finds it. */
async function watchMany(index: ChainIndex): Promise<void> {
  const { pool, chainId, config } = index
  const isTogether = isReadTogether(
    index,
    await countNewcomers(pool, chainId, index.newcomersFrom, MOST_COUNTED),
  )
  let after: Newcomer | null = null
  while (goesOn(index)) {
    // Whatever began before and has not ended yet may still bring addresses that seem old.
    const oldest: Date | null = after && (await readOldestTransaction(pool))
    const { newcomers: page }: FoundNewcomers = await findNewcomers(
      pool,
      chainId,
      { from: index.newcomersFrom, after },
      config.addressesPerLook,
    )
    const newest = page.at(-1)
    if (newest) await watch(index, page, { isTogether, funded: await findFunded(index, page) })
    if (page.length < config.addressesPerLook) {
      const known = newest ?? after
      if (known) index.newcomersFrom = oldest ?? lookFrom(known.createdAt)
      return
    }
    after = newest ?? null
  }
}

/**
 * Whether reading every block of the past takes fewer questions to a node than looking for the addresses, of which no two of
 * one account are asked about together.
 */
function isReadTogether(
  { config, cursor, startBlock, logRange }: ChainIndex,
  { addresses, mostOfOne }: { addresses: number; mostOfOne: number },
): boolean {
  const blocks = cursor.number - startBlock + 1n
  const groups = Math.max(mostOfOne, Math.ceil(addresses / config.addressesPerQuery))
  const ranges = (blocks + logRange - 1n) / logRange
  return blocks * QUESTIONS_OF_BLOCK < BigInt(groups) * ranges * QUESTIONS_OF_RANGE
}

/** The block, its logs and its traces. */
const QUESTIONS_OF_BLOCK = 3n
/** The range by each place of an address, twice. */
const QUESTIONS_OF_RANGE = 8n

async function watch(
  index: ChainIndex,
  newcomers: readonly Newcomer[],
  how: { isTogether?: boolean; funded?: readonly string[] },
): Promise<void> {
  const { chainId, filter, startBlock } = index
  index.mayWait = true
  const addresses = newcomers.map(({ address }) => address)
  for (const address of addresses) filter.add(address)
  const highest = index.requested > index.cursor.number ? index.requested : index.cursor.number
  await onChain(index, (transaction) =>
    watchAddresses(transaction, chainId, addresses, { liveFrom: highest + 1n, startBlock, ...how }),
  )
}
