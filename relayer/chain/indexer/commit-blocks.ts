import type { CommonQueryMethods, DatabaseTransactionConnection } from 'slonik'
import type { Address } from 'viem'
import type { HoldingKey } from '../../../db/chain/indexer/holdings.ts'
import { advanceCursor } from '../../../db/chain/indexer/advance-cursor.ts'
import { isKeptBlock, readKeptBlocks } from '../../../db/chain/indexer/indexed-blocks.ts'
import { noteLeftOut } from '../../../db/chain/indexer/left-out-blocks.ts'
import { ChainLostError, lockChain } from '../../../db/chain/indexer/indexed-chains.ts'
import { confirmWatched, isPastOf } from '../../../db/chain/indexer/watched-addresses.ts'
import type { BlockFacts } from './block-facts.ts'
import { buildRows, isEmpty, listCandidates, mergeRows } from './build-rows.ts'
import type { ChainIndex } from './chain-index.ts'
import { readGroups, type BalancesRead } from './read-balances.ts'
import { separateOwners } from './address-filter.ts'
import { writeChain, type ChainWriter } from './write-chain.ts'

/** A block to be backfilled is no longer stored under its hash. */
class BlockForgottenError extends Error {
  override name = 'BlockForgottenError'
}

/** Begins a transaction that locks the chain; its cursor must be where this instance expects it. */
export async function onChain<Result>(
  index: ChainIndex,
  work: (transaction: DatabaseTransactionConnection, writer: ChainWriter) => Promise<Result>,
): Promise<Result> {
  return writeChain(index, async (transaction, writer) => {
    const { blockNumber, blockHash } = await lockChain(transaction, index)
    if (blockNumber !== index.cursor.number || blockHash !== index.cursor.hash)
      throw new ChainLostError(`the rows of chain ${index.chainId} are not as this instance left them`)
    return work(transaction, writer)
  })
}

/** The contracts whose events count as those of pools. */
export const poolsOf = ({ chain, poolContracts }: ChainIndex) => ({
  entrypoint: chain.config.relayer?.entrypoint ?? null,
  contracts: poolContracts,
})

/** After a block was indexed without traces, for this long others are too, if no node shows theirs at once. */
const CONCEDE_FOR_MS = 10 * 60_000

/** Most questions to a node that a block waits for. */
const MOST_GROUPS = 8

/** Returns the amounts after the newest block, or null where no node can report them: they then remain to be read. */
async function tryReading(
  { nodes, log, config }: ChainIndex,
  touched: readonly HoldingKey[],
  watched: ReadonlyMap<string, string>,
  block: BlockFacts,
): Promise<BalancesRead | null> {
  // A stranger can name thousands of collectibles in one block: other balances do not wait for them.
  if (touched.length > config.holdingsPerRead) return null
  const keys = touched.map((key) => ({ ...key, owner: watched.get(key.address) ?? key.address }))
  const groups = separateOwners(keys)
  // That many addresses of one account in one block are read later.
  if (groups.length > MOST_GROUPS) return null
  try {
    return await readGroups(nodes, groups, block.hash)
  } catch (error) {
    log.debug({ err: error, block: block.number }, 'balances are read later')
    return null
  }
}

/**
 * Writes consecutive blocks that follow the cursor, and moves it, in one transaction. If the last of them is the chain's
 * newest, it also writes the balances after it.
 */
export async function commitBlocks(index: ChainIndex, blocks: readonly BlockFacts[]): Promise<void> {
  const last = blocks.at(-1)
  if (!last) return
  const { chainId, pool, config } = index
  const watched = await confirmWatched(pool, chainId, listCandidates(blocks))
  const rows = mergeRows(blocks.map((block) => buildRows(chainId, block, watched, poolsOf(index))))
  const { facts, touched } = rows
  const atHead = last.number >= (index.chain.head()?.number ?? 0n)
  const read = atHead ? await tryReading(index, touched, watched, last) : null

  const untraced = blocks.findLast((block) => !block.isTraced)
  const leftOut = blocks.filter((block) => block.leftOut.length > 0)
  const advance = (connection: CommonQueryMethods) =>
    advanceCursor(connection, index, {
      from: index.cursor,
      blocks,
      untracedTo: untraced?.number ?? null,
      // One block more than a reorg may remove: the ancestor.
      keepFrom: last.number - BigInt(config.depth),
    })
  let depositors: readonly Address[] = []
  if (isEmpty(rows) && leftOut.length === 0) await advance(pool)
  else {
    depositors = await writeChain(index, async (transaction, writer) => {
      // It locks the chain, on which the following writes rely.
      await advance(transaction)
      await noteLeftOut(transaction, chainId, leftOut)
      const told = await writer.facts(facts)
      if (read) await writer.balances(read, last)
      else await writer.stale(touched)
      return told
    })
    index.mayWait = true
  }
  index.cursor = { number: last.number, hash: last.hash }
  index.traces = last.traces
  if (untraced && untraced.number > (index.untracedTo ?? -1n)) index.untracedTo = untraced.number
  if (leftOut.length > 0) reportLeftOut(index, leftOut)
  for (const { hash, endpoints } of blocks) index.endpoints.set(hash, endpoints)
  for (const oldest of index.endpoints.keys()) {
    if (index.endpoints.size <= config.depth) break
    index.endpoints.delete(oldest)
  }
  const addresses = new Set([
    ...[...facts.addressTxs, ...facts.bridgeEvents].map(({ address }) => address as Address),
    ...touched.map(({ address }) => address),
    ...depositors,
  ])
  index.publish({
    blockNumber: last.number,
    blockHash: last.hash,
    addresses: [...addresses],
    pools: facts.poolEvents.length > 0,
    reorg: false,
  })
}

/** From now on the chain waits less for data that no node shows at once. */
function reportLeftOut(index: ChainIndex, blocks: readonly BlockFacts[]): void {
  index.concedesUntil = Date.now() + CONCEDE_FOR_MS
  const first = blocks.slice(0, 10).map(({ number, leftOut }) => ({ number, leftOut }))
  index.log.error(
    { blocks: blocks.length, first },
    'no node showed all parts of a block: the chain goes on by balances',
  )
}

/**
 * Writes the facts of an older block about addresses that came later. The block must still be stored. One that a reorg
 * removed is skipped, since its replacement is matched when it is indexed. With `history` no reorg can reach the block, but
 * the chain may have been reset since.
 *
 * @throws BlockForgottenError when the block is no longer stored, so that this cannot be decided.
 */
export async function commitPast(
  index: ChainIndex,
  block: BlockFacts,
  history: readonly Address[] | null,
): Promise<void> {
  const { chainId, pool } = index
  const watched = await confirmWatched(pool, chainId, listCandidates([block]))
  const { facts, touched } = buildRows(chainId, { ...block, poolEvents: [] }, watched, poolsOf(index))
  const { addressTxs, transfers, bridgeEvents, cashEvents } = facts
  const isNothing = [addressTxs, transfers, bridgeEvents, cashEvents, touched].every(
    ({ length }) => length === 0,
  )
  if (isNothing && block.leftOut.length === 0) return
  const depositors = await writeChain(index, async (transaction, writer) => {
    await lockChain(transaction, index)
    if (history) {
      if (!(await isPastOf(transaction, chainId, history, block.number))) return []
    } else if (!(await isKeptBlock(transaction, chainId, block))) {
      const [lowest] = await readKeptBlocks(transaction, chainId, 0n)
      if (lowest && block.number < lowest.number) throw new BlockForgottenError('the chain went on too fast')
      return []
    }
    const told = await writer.facts(facts)
    await writer.stale(touched, true)
    await noteLeftOut(transaction, chainId, [block])
    return told
  })
  index.publish({
    blockNumber: index.cursor.number,
    blockHash: index.cursor.hash,
    addresses: [...new Set([...[...touched, ...bridgeEvents].map(({ address }) => address), ...depositors])],
    pools: false,
    reorg: false,
  })
}
