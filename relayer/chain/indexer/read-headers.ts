import { numberToHex, type Hash } from 'viem'
import { askEveryNode, askNodes, WrongAnswerError, type AskOne, type Nodes } from './ask-nodes.ts'
import type { RawBlock } from './raw-block.ts'

/** The members of a header that tell whether the chain was reorganised. */
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

/** The header of a block that is known by its hash and must have that number. */
export function readHeader(nodes: Nodes, hash: Hash, number: bigint): Promise<Header> {
  return askNodes(nodes, async (ask) => {
    const header = await fetchHeader(ask, hash)
    if (header?.hash !== hash || header.number !== number)
      throw new WrongAnswerError('the node does not have the block')
    return header
  })
}

/** What each node that answers has under a number; null where it has nothing. */
export const readHeadersAt = (nodes: Nodes, number: bigint): Promise<readonly (Header | null)[]> =>
  askEveryNode(nodes, (ask) => fetchHeader(ask, number))
