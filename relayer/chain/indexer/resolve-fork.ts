import type { Hash } from 'viem'
import { findKnownBlock, readKeptBlocks } from '../../../db/chain/indexer/indexed-blocks.ts'
import { setCursor } from '../../../db/chain/indexer/indexed-chains.ts'
import { popBlocks, resetChain } from '../../../db/chain/indexer/pop-blocks.ts'
import type { ChainIndex, Cursor } from './chain-index.ts'
import { onChain } from './commit-blocks.ts'
import { readHeader, readHeadersAt } from './read-headers.ts'

/** Thrown while the nodes of a chain disagree; the work is retried later. */
export class NodesDisagreeError extends Error {
  override name = 'NodesDisagreeError'
}

const BEHIND = 'the nodes are behind'

type Kept = ReadonlyMap<bigint, Hash>

/**
 * Follows parent hashes from a block of the new chain down to an indexed block; null when that is deeper than the stored
 * blocks.
 */
async function findAncestor(
  { nodes, startBlock }: ChainIndex,
  kept: Kept,
  tip: Cursor & { hash: Hash },
): Promise<Cursor | null> {
  const [lowest = startBlock] = kept.keys()
  let { number, hash } = tip
  for (;;) {
    if (number < startBlock) return { number: startBlock - 1n, hash: null }
    if (kept.get(number) === hash) return { number, hash }
    if (number < lowest) return null
    hash = (await readHeader(nodes, hash, number)).parentHash
    number -= 1n
  }
}

/**
 * Removes the blocks that are no longer below `tip`. A reorg deeper than the stored blocks makes the indexer read the chain
 * from its start again, once every node that answers confirms it. Nodes that only lack blocks do not confirm it.
 * @param tip A block of the chain that the nodes follow now, not above the cursor.
 */
export async function resolveFork(index: ChainIndex, tip: Cursor & { hash: Hash }): Promise<void> {
  const { chainId, config, pool, cursor, log } = index
  // Not even the start block: such a node is only starting, and cannot show a reorg.
  if (tip.number < index.startBlock) throw new NodesDisagreeError(BEHIND)
  const oldest = cursor.number - BigInt(config.depth)
  const kept = new Map(
    (await readKeptBlocks(pool, chainId, oldest)).map(({ number, hash }) => [number, hash]),
  )
  const ancestor = await findAncestor(index, kept, tip)
  if (ancestor === null) return startAnew(index, kept, tip)

  const blocks = Number(cursor.number - ancestor.number)
  const lost = await onChain(index, async (transaction) => {
    const popped = await popBlocks(transaction, chainId, ancestor.number, blocks)
    await setCursor(transaction, chainId, { ...ancestor, untracedTo: null })
    return popped
  })
  index.cursor = ancestor
  if (index.sweptTo !== null && index.sweptTo > ancestor.number) index.sweptTo = ancestor.number
  if (index.sweep && index.sweep.upTo > ancestor.number) index.sweep.upTo = ancestor.number
  index.mayWait = true
  index.belowSince = null
  log.info({ blocks, ancestor: ancestor.number }, 'a reorg took blocks back')
  index.publish({
    blockNumber: ancestor.number,
    blockHash: ancestor.hash,
    addresses: lost.addresses as `0x${string}`[],
    pools: lost.pools,
    reorg: true,
  })
}

/** True if nodes that lack our stored blocks follow another chain, rather than lag behind on ours. */
async function haveOtherBlocks({ pool, chainId, nodes }: ChainIndex, upTo: bigint): Promise<boolean> {
  const known = await findKnownBlock(pool, chainId, upTo)
  // Nothing is lost by reading it again.
  if (!known) return true
  const answers = await readHeadersAt(nodes, known.number)
  return answers.length > 0 && answers.every((header) => header !== null && header.hash !== known.hash)
}

async function startAnew(index: ChainIndex, kept: Kept, tip: Cursor): Promise<void> {
  const { chainId, nodes, startBlock, log, config } = index
  const [oldest] = kept
  if (oldest) {
    const answers = await readHeadersAt(nodes, oldest[0])
    if (answers.length === 0 || answers.some((header) => header?.hash === oldest[1]))
      throw new NodesDisagreeError('some nodes follow another chain of blocks than others')
    const isSilent = answers.every((header) => header === null)
    if (isSilent && !(await haveOtherBlocks(index, tip.number))) throw new NodesDisagreeError(BEHIND)
  }
  const problem = `a reorg went deeper than ${config.depth} blocks: everything is read again from block ${startBlock}`
  log.error({ depth: config.depth, startBlock }, 'a reorg went deeper than the blocks that are kept')
  await onChain(index, (transaction) => resetChain(transaction, chainId, startBlock, problem))
  index.cursor = { number: startBlock - 1n, hash: null }
  index.untracedTo = null
  index.sweptTo = null
  index.sweep = null
  index.mayWait = true
  index.belowSince = null
  index.endpoints.clear()
  index.publish({ blockNumber: startBlock - 1n, blockHash: null, addresses: [], pools: true, reorg: true })
}
