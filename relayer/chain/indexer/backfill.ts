import { readKeptBlocks } from '../../../db/chain/indexer/indexed-blocks.ts'
import { lockChain } from '../../../db/chain/indexer/indexed-chains.ts'
import {
  advanceHistory,
  findHistory,
  findNearPast,
  finishNearPast,
} from '../../../db/chain/indexer/watched-addresses.ts'
import type { Hash } from 'viem'
import { testOver } from './address-filter.ts'
import type { BlockFacts } from './block-facts.ts'
import { goesOn, type ChainIndex } from './chain-index.ts'
import { commitPast } from './commit-blocks.ts'
import { findPastBlocks } from './find-past-blocks.ts'

const PER_LOOK = 5_000
const MOST_HELD = 1_000

/**
 * Reads the newest past of late addresses: the blocks that a reorg may still replace, by their hash. It skips blocks whose
 * remembered filter contains none of them.
 * @returns True if there was any such address.
 */
export async function backfillNearPast(index: ChainIndex): Promise<boolean> {
  const { pool, chainId, config, startBlock, endpoints } = index
  const cursor = index.cursor.number
  const late = await findNearPast(pool, chainId, cursor, PER_LOOK)
  const newest = late.at(-1)
  if (!newest) return false
  const addresses = late.map(({ address }) => address)
  const edge = cursor - BigInt(config.depth) + 1n
  const kept = await readKeptBlocks(pool, chainId, edge > startBlock ? edge : startBlock)
  // The chain may have advanced, and dropped the lowest: blocks below are final now.
  const nearFrom = kept[0]?.number ?? startBlock
  const oldest = late.reduce((least, { historyNext }) => (historyNext < least ? historyNext : least), cursor)
  for (const { number, hash } of kept) {
    if (!goesOn(index)) return false
    if (number < oldest) continue
    if (number >= newest.liveFrom) break
    const shared = endpoints.get(hash)
    if (shared) {
      const takesPart = testOver(shared)
      if (!addresses.some((address) => takesPart.has(address))) continue
    }
    // A block that a reorg removed cannot be read, and need not be.
    const block = await readPast(index, hash, {}).catch(async (error: unknown) => {
      const [now] = await readKeptBlocks(pool, chainId, number)
      if (now?.number === number && now.hash !== hash) return null
      throw error
    })
    if (block) await commitPast(index, block, null)
  }
  await pool.transaction(async (transaction) => {
    await lockChain(transaction, index)
    await finishNearPast(transaction, chainId, addresses, nearFrom)
  })
  return true
}

/** True if a block or range has failed for so long that the indexer continues without it. */
function isHeldLong({ heldPast, config }: ChainIndex, what: string): boolean {
  const since = heldPast.get(what) ?? Date.now()
  // Few entries exist at once; those of blocks read meanwhile are dropped with the rest.
  if (heldPast.size >= MOST_HELD) heldPast.clear()
  heldPast.set(what, since)
  return Date.now() - since >= config.concedeAfterMs
}

/**
 * Reads a block of the past. A block of which no node shows every part for long is read without them, so that it holds up no
 * other.
 */
export async function readPast(
  index: ChainIndex,
  block: Hash | bigint,
  how: { isPast?: boolean },
): Promise<BlockFacts> {
  try {
    return await index.read({ block, ...how })
  } catch (error) {
    if (!isHeldLong(index, String(block))) throw error
    const facts = await index.read({ block, ...how, concede: 'all' })
    index.log.error(
      { block: facts.number, leftOut: facts.leftOut },
      'an old block was read without parts that no node shows',
    )
    return facts
  }
}

/**
 * Backfills one range of the older past of late addresses: asks the nodes which blocks name them, and reads those blocks. A
 * range that a node refuses as too large is halved.
 *
 * @returns True if there was a range to read.
 */
export async function backfillHistory(index: ChainIndex): Promise<boolean> {
  const { pool, chainId, config } = index
  const group = await findHistory(pool, chainId, config.addressesPerQuery)
  const [first, last] = [group[0], group.at(-1)]
  if (!first || !last) return false
  const addresses = group.map(({ address }) => address)
  const from = first.historyNext
  const end = from + index.logRange - 1n
  const to = end < last.nearFrom - 1n ? end : last.nearFrom - 1n
  let hashes: readonly `0x${string}`[]
  try {
    hashes = await findPastBlocks(index, addresses, { from, to })
  } catch (error) {
    if (index.logRange > 1n) {
      index.logRange /= 2n
      return true
    }
    if (!isHeldLong(index, `range ${from}`)) throw error
    index.log.error(
      { block: from },
      'no node tells who takes part in an old block: it is left out of some histories',
    )
    hashes = []
  }
  for (const hash of hashes) {
    if (!goesOn(index)) return false
    await commitPast(index, await readPast(index, hash, { isPast: true }), addresses)
  }
  await pool.transaction(async (transaction) => {
    await lockChain(transaction, index)
    await advanceHistory(transaction, chainId, addresses, to)
  })
  const wider = (index.logRange * 5n) / 4n + 1n
  index.logRange = wider < BigInt(config.logRange) ? wider : BigInt(config.logRange)
  return true
}
