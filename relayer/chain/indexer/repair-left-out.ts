import { endLeftOut, findLeftOut, postponeLeftOut } from '../../../db/chain/indexer/left-out-blocks.ts'
import { lockChain } from '../../../db/chain/indexer/indexed-chains.ts'
import { confirmWatched } from '../../../db/chain/indexer/watched-addresses.ts'
import { buildRows, listCandidates } from './build-rows.ts'
import type { ChainIndex } from './chain-index.ts'
import { poolsOf } from './commit-blocks.ts'
import { writeChain } from './write-chain.ts'

/**
 * Reads a block again that was indexed without some of its parts. Once a node shows them, their facts are written like those
 * of a late address; existing rows stay.
 * @returns True if a block was due.
 */
export async function repairLeftOut(index: ChainIndex): Promise<boolean> {
  const { pool, chainId, log } = index
  const due = await findLeftOut(pool, chainId)
  if (!due) return false
  const block = await index.read({ block: due.hash }).catch(() => null)
  if (!block || (due.parts.includes('traces') && block.traces === 'none')) {
    await postponeLeftOut(pool, chainId, due)
    return true
  }
  const watched = await confirmWatched(pool, chainId, listCandidates([block]))
  const { facts, touched } = buildRows(chainId, block, watched, poolsOf(index))
  const isRepaired = await writeChain(index, async (transaction, writer) => {
    await lockChain(transaction, index)
    if (!(await endLeftOut(transaction, chainId, due))) return false
    await writer.facts(facts)
    await writer.stale(touched)
    return true
  })
  if (!isRepaired) return true
  index.mayWait = true
  log.info({ block: due.number }, 'a node shows a block whole that was left out in part')
  index.publish({
    blockNumber: index.cursor.number,
    blockHash: index.cursor.hash,
    addresses: [...new Set(touched.map(({ address }) => address))],
    pools: facts.poolEvents.length > 0,
    reorg: false,
  })
  return true
}
