import type { Address } from 'viem'
import {
  advancePass,
  beginPass,
  findPass,
  finishSome,
  type BackfillPass,
} from '../../../db/chain/indexer/backfill-passes.ts'
import { isKeptBlock, readKeptBlocks } from '../../../db/chain/indexer/indexed-blocks.ts'
import { noteLeftOut } from '../../../db/chain/indexer/left-out-blocks.ts'
import { lockChain } from '../../../db/chain/indexer/indexed-chains.ts'
import { confirmWatched } from '../../../db/chain/indexer/watched-addresses.ts'
import type { BlockFacts } from './block-facts.ts'
import { buildRows, listCandidates, mergeRows } from './build-rows.ts'
import type { ChainIndex } from './chain-index.ts'
import { poolsOf } from './commit-blocks.ts'
import { readPast } from './backfill.ts'
import { BlockUnreadError } from './open-block-reader.ts'
import { writeChain } from './write-chain.ts'

/** Blocks that one step writes. */
const PER_STEP = 32n
const PER_FINISH = 20_000

/**
 * Takes a step of the pass that reads the past of many addresses. The blocks of a step are matched with all watched
 * addresses, as new blocks are. Blocks that a reorg may still replace are read by their hash.
 * @returns True if the next step can be taken now.
 */
export async function backfillTogether(index: ChainIndex): Promise<boolean> {
  const { pool, chainId, cursor, config } = index
  const pass = (await findPass(pool, chainId)) ?? (await begin(index))
  if (!pass) return false
  if (pass.block >= pass.end) return finish(index, pass)
  const final = cursor.number - BigInt(config.depth)
  if (pass.block <= final) {
    const last = lowest(pass.block + PER_STEP - 1n, pass.end - 1n, final)
    const blocks = await readFinal(index, pass.block, last)
    if (!(await commit(index, pass, blocks, false))) return false
    const tip = blocks.at(-1)
    index.passTip = tip ? { number: tip.number, hash: tip.hash } : null
    return true
  }
  if (pass.end - 1n > cursor.number) return false
  const kept = await readKeptBlocks(pool, chainId, pass.block)
  const near = kept.filter(({ number }) => number < pass.end).slice(0, config.parallelBlocks)
  if (near[0]?.number !== pass.block) return false
  return commit(index, pass, await Promise.all(near.map(({ hash }) => readPast(index, hash, {}))), true)
}

const lowest = (...numbers: readonly bigint[]) => numbers.reduce((one, other) => (one < other ? one : other))

async function begin(index: ChainIndex): Promise<BackfillPass | null> {
  const { pool, chainId } = index
  await pool.transaction(async (transaction) => {
    await lockChain(transaction, index)
    await beginPass(transaction, chainId)
  })
  index.passTip = null
  return findPass(pool, chainId)
}

/** Reads blocks that no reorg can replace any more. They must follow each other, and end where the stored blocks begin. */
async function readFinal(index: ChainIndex, from: bigint, to: bigint): Promise<BlockFacts[]> {
  const { pool, chainId, config, passTip } = index
  const blocks: BlockFacts[] = []
  while (from + BigInt(blocks.length) <= to) {
    const next = from + BigInt(blocks.length)
    const count = lowest(to - next + 1n, BigInt(config.parallelBlocks))
    const numbers = Array.from({ length: Number(count) }, (_, offset) => next + BigInt(offset))
    blocks.push(...(await Promise.all(numbers.map((block) => readPast(index, block, { isPast: true })))))
  }
  let parent = passTip?.number === from - 1n ? passTip.hash : null
  for (const { hash, parentHash } of blocks) {
    if (parent !== null && parentHash !== parent)
      throw new BlockUnreadError('the blocks do not follow each other', true)
    parent = hash
  }
  const [kept] = await readKeptBlocks(pool, chainId, to)
  if (kept?.number === to && kept.hash !== parent)
    throw new BlockUnreadError('the blocks are of another chain than those that are indexed', true)
  return blocks
}

/**
 * Writes the rows of the blocks and the progress of the pass, in one transaction. A near block that a reorg removed adds
 * nothing: its replacement is matched as it is indexed.
 */
async function commit(
  index: ChainIndex,
  pass: BackfillPass,
  blocks: readonly BlockFacts[],
  isNear: boolean,
): Promise<boolean> {
  const { chainId, pool } = index
  const watched = await confirmWatched(pool, chainId, listCandidates(blocks))
  const addresses = new Set<Address>()
  const isDone = await writeChain(index, async (transaction, writer) => {
    await lockChain(transaction, index)
    if (!(await advancePass(transaction, chainId, pass, pass.block + BigInt(blocks.length)))) return false
    const matched: BlockFacts[] = []
    const [lowestKept] = isNear ? await readKeptBlocks(transaction, chainId, 0n) : []
    for (const block of blocks) {
      if (lowestKept && block.number < lowestKept.number)
        throw new BlockUnreadError('the chain went on too fast')
      if (isNear && !(await isKeptBlock(transaction, chainId, block))) continue
      matched.push(block)
    }
    const { facts, touched } = mergeRows(
      matched.map((block) => buildRows(chainId, { ...block, poolEvents: [] }, watched, poolsOf(index))),
    )
    for (const address of await writer.facts(facts)) addresses.add(address)
    await writer.stale(touched, true)
    await noteLeftOut(transaction, chainId, matched)
    for (const { address } of [...touched, ...facts.bridgeEvents]) addresses.add(address)
    return true
  })
  if (addresses.size > 0)
    index.publish({
      blockNumber: index.cursor.number,
      blockHash: index.cursor.hash,
      addresses: [...addresses],
      pools: false,
      reorg: false,
    })
  return isDone
}

async function finish(index: ChainIndex, pass: BackfillPass): Promise<boolean> {
  const { pool, chainId } = index
  await pool.transaction(async (transaction) => {
    await lockChain(transaction, index)
    await finishSome(transaction, chainId, pass, PER_FINISH)
  })
  return true
}
