import { numberToHex, type Hash } from 'viem'
import { askEveryNode, askNodes, WrongAnswerError, type AskOne, type Nodes } from './ask-nodes.ts'
import type { RawBlock } from './raw-block.ts'

/** The members of a header that reveal a reorg. */
export interface Header {
  number: bigint
  hash: Hash
  parentHash: Hash
}

async function fetchHeader(ask: AskOne, block: bigint | Hash): Promise<Header | null> {
  const byHash = typeof block === 'string'
  const [answer] = await ask([
    byHash
      ? { method: 'eth_getBlockByHash', params: [block, false] }
      : { method: 'eth_getBlockByNumber', params: [numberToHex(block), false] },
  ])
  const raw = answer as RawBlock | null
  if (!raw?.hash) return null
  return { number: BigInt(raw.number), hash: raw.hash, parentHash: raw.parentHash }
}

/** Reads the header of a block with a known hash, which must have that number. */
export function readHeader(nodes: Nodes, hash: Hash, number: bigint): Promise<Header> {
  return askNodes(nodes, async (ask) => {
    const header = await fetchHeader(ask, hash)
    if (header?.hash !== hash || header.number !== number)
      throw new WrongAnswerError('the node does not have the block')
    return header
  })
}

/** Returns each node's header under a number, null where a node has none; silent nodes are omitted. */
export const readHeadersAt = (nodes: Nodes, number: bigint): Promise<readonly (Header | null)[]> =>
  askEveryNode(nodes, (ask) => fetchHeader(ask, number))
