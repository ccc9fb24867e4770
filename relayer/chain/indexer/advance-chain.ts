import type { Hash } from 'viem'
import type { Head } from '../nodes/chain.ts'
import type { BlockFacts } from './block-facts.ts'
import { goesOn, type ChainIndex } from './chain-index.ts'
import { commitBlocks } from './commit-blocks.ts'
import { BlockUnreadError } from './open-block-reader.ts'
import { readHeadersAt } from './read-headers.ts'
import { resolveFork } from './resolve-fork.ts'

/** Batches of blocks that are read ahead of the written ones. */
const BATCHES_AHEAD = 2

/** Pending reads of blocks, by number. */
type Window = Map<bigint, Promise<BlockFacts>>

/** Brings the index to the newest head, across any reorgs. It awaits `pause` between batches. */
export async function advanceChain(index: ChainIndex, pause: () => Promise<void>): Promise<void> {
  const window: Window = new Map()
  try {
    while (goesOn(index)) {
      const head = index.chain.head()
      if (head === null || !(await isBelow(index, head))) return
      fillWindow(index, window, head.number)
      const batch = await takeBatch(index, window)
      if (batch.length > 0) await commitBlocks(index, batch)
      else await resolveNext(index, window)
      await pause()
    }
  } finally {
    // Pending reads are discarded.
    index.requested = index.cursor.number
  }
}

/** True if there are blocks to read. A head beside or below the cursor removes blocks, once it is confirmed. */
async function isBelow(index: ChainIndex, head: Head): Promise<boolean> {
  const { cursor, nodes, config } = index
  if (head.number > cursor.number) {
    index.belowSince = null
    return true
  }
  if (cursor.hash === null) return false
  if (head.number === cursor.number) {
    index.belowSince = null
    if (head.hash === cursor.hash) return false
    const others = await readHeadersAt(nodes, cursor.number)
    // One of two chains of equal length will grow first, and that one counts.
    const agree = others.every((header) => header !== null && header.hash !== cursor.hash)
    if (others.length === 0 || !agree) return false
    await resolveFork(index, head)
    return isBelow(index, head)
  }
  index.belowSince ??= Date.now()
  if (Date.now() - index.belowSince < config.rollbackGraceMs) return false
  const higher = await readHeadersAt(nodes, cursor.number)
  if (higher.length === 0 || higher.some((header) => header !== null)) return false
  await resolveFork(index, head)
  return false
}

function fillWindow(index: ChainIndex, window: Window, head: bigint): void {
  const ahead = index.cursor.number + BigInt(index.config.parallelBlocks * BATCHES_AHEAD)
  const last = head < ahead ? head : ahead
  for (let number = index.cursor.number + 1n; number <= last; number += 1n) {
    if (window.has(number)) continue
    const reading = index.read({ block: number, ...concessionOf(index, number) })
    reading.catch(() => undefined)
    window.set(number, reading)
    if (number > index.requested) index.requested = number
  }
}

/** Returns the next consecutive blocks; none when the first does not follow the cursor, or cannot be read. */
async function takeBatch(index: ChainIndex, window: Window): Promise<BlockFacts[]> {
  const batch: BlockFacts[] = []
  let parent: Hash | null = index.cursor.hash
  for (let count = 1n; count <= BigInt(index.config.parallelBlocks); count += 1n) {
    const number = index.cursor.number + count
    const facts = await window.get(number)?.catch(() => null)
    window.delete(number)
    if (!facts || (parent !== null && facts.parentHash !== parent)) {
      window.clear()
      break
    }
    batch.push(facts)
    parent = facts.hash
  }
  return batch
}

/** Reads the next block from any node where it follows the cursor. If there is none, the cursor's block was replaced. */
async function resolveNext(index: ChainIndex, window: Window): Promise<void> {
  window.clear()
  const { cursor, nodes } = index
  const block = cursor.number + 1n
  const parent = cursor.hash === null ? {} : { parentHash: cursor.hash }
  let facts: BlockFacts
  try {
    facts = await index.read({ block, ...parent, ...concessionOf(index, block) })
  } catch (error) {
    if (!(error instanceof BlockUnreadError)) throw error
    const found = (await readHeadersAt(nodes, block)).filter((header) => header !== null)
    const isOurs = found.some(({ parentHash }) => parentHash === cursor.hash)
    const [other] = found
    if (cursor.hash !== null && other && !isOurs)
      return resolveFork(index, { number: cursor.number, hash: other.parentHash })
    if (found.length > 0) await noteStuck(index, block)
    throw error
  }
  await commitBlocks(index, [facts])
}

/** The parts of a block that may be left out by now. */
function concessionOf(
  { stuck, concedesUntil, config }: ChainIndex,
  block: bigint,
): { concede?: 'traces' | 'all' } {
  const heldMs = stuck?.block === block ? Date.now() - stuck.since : 0
  if (stuck?.block === block && stuck.isAlone && heldMs >= 2 * config.concedeAfterMs)
    return { concede: 'all' }
  if (stuck?.block === block && heldMs >= config.concedeAfterMs) return { concede: 'traces' }
  return Date.now() < concedesUntil ? { concede: 'traces' } : {}
}

/**
 * Records that nodes have a block and none shows all of it. Once native coins are conceded, it checks whether only this
 * block fails: if later blocks can be read, this one does not hold them up.
 */
async function noteStuck(index: ChainIndex, block: bigint): Promise<void> {
  if (index.stuck?.block !== block) index.stuck = { block, since: Date.now(), isAlone: false }
  const { stuck, config } = index
  if (stuck.isAlone || Date.now() - stuck.since < config.concedeAfterMs) return
  stuck.isAlone = await index.read({ block: block + 1n, concede: 'traces' }).then(
    () => true,
    () => false,
  )
}
