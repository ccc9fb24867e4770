import {
  countNewcomers,
  findNewcomers,
  lookFrom,
  readOldestTransaction,
  readWatched,
  watchAddresses,
  type Newcomer,
} from '../../../db/chain/indexer/watched-addresses.ts'
import { goesOn, type ChainIndex } from './chain-index.ts'
import { onChain } from './commit-blocks.ts'
import { findFunded } from './find-funded.ts'

const PER_PAGE = 10_000
/** Most new addresses that are counted to choose how their past is read. */
const MOST_COUNTED = 100_000

/** Adds all addresses that the chain watches already to the filter. */
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
    // The first search goes through all addresses; later ones need not, even if it found none.
    index.newcomersFrom ??= newestOfAll && lookFrom(newestOfAll)
    return
  }
  if (newcomers.length === config.addressesPerLook) return watchMany(index)
  await watch(index, newcomers, {})
  index.newcomersFrom = lookFrom(newest.createdAt)
}

/** A page of new addresses, with those that have coins among those that may have a past. */
interface Page {
  newcomers: readonly Newcomer[]
  funded: readonly string[]
  /** A transaction that began before this time and is still open may add addresses that seem old; null on the first page. */
  oldest: Date | null
}

/**
 * Watches page by page, so that each page is written in the order of the index that finds it. While one page is written, the
 * next is read and the node is asked about it.
 */
async function watchMany(index: ChainIndex): Promise<void> {
  const { pool, chainId, config } = index
  const isTogether = isReadTogether(
    index,
    await countNewcomers(pool, chainId, index.newcomersFrom, MOST_COUNTED),
  )
  const read = (after: Newcomer | null): Promise<Page> => {
    const page = readPage(index, after)
    // It is awaited only while the chain is ours.
    page.catch(() => undefined)
    return page
  }
  let last: Newcomer | null = null
  let reading = read(null)
  while (goesOn(index)) {
    const { newcomers, funded, oldest } = await reading
    const newest = newcomers.at(-1)
    const isEnd = newcomers.length < config.addressesPerLook
    if (newest && !isEnd) reading = read(newest)
    if (newest) await watch(index, newcomers, { isTogether, funded })
    last = newest ?? last
    if (!isEnd) continue
    if (last) index.newcomersFrom = oldest ?? lookFrom(last.createdAt)
    return
  }
}

async function readPage(index: ChainIndex, after: Newcomer | null): Promise<Page> {
  const { pool, chainId, config } = index
  const oldest = after && (await readOldestTransaction(pool))
  const { newcomers } = await findNewcomers(
    pool,
    chainId,
    { from: index.newcomersFrom, after },
    config.addressesPerLook,
  )
  const older = newcomers.filter(({ isFresh }) => !isFresh)
  return { newcomers, oldest, funded: older.length > 0 ? await findFunded(index, older) : [] }
}

/**
 * True if reading every past block takes fewer questions to a node than searching for the addresses. Each question of a
 * search names at most one address of an account.
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
