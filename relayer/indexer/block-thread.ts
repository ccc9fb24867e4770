import { parentPort } from 'node:worker_threads'
import { testOver } from './address-filter.ts'
import { openNodes, type Nodes } from './ask-nodes.ts'
import type { BlockFacts } from './block-facts.ts'
import { readBlock, type BlockRequest } from './read-block.ts'
import type { TraceModes } from './trace-block.ts'

/** What the thread is asked: a block of one of the chains, for those in the filter. */
export interface ThreadRequest extends BlockRequest {
  id: number
  chainId: number
  rpcUrls: readonly string[]
  timeoutMs: number
  filter: SharedArrayBuffer
}

export type ThreadAnswer =
  | { id: number; facts: BlockFacts }
  | { id: number; failure: { name: string; message: string } }

// Blocks of busy chains are megabytes of JSON: they are parsed here, where nobody waits.
const chains = new Map<number, { nodes: Nodes; modes: TraceModes }>()

parentPort?.on('message', async ({ id, chainId, rpcUrls, timeoutMs, filter, ...request }: ThreadRequest) => {
  const chain = chains.get(chainId) ?? { nodes: openNodes(rpcUrls, timeoutMs), modes: new Map() }
  chains.set(chainId, chain)
  const answer: ThreadAnswer = await readBlock(chain.nodes, chain.modes, request, testOver(filter)).then(
    (facts) => ({ id, facts }),
    (error: Error) => ({ id, failure: { name: error.name, message: error.message } }),
  )
  parentPort?.postMessage(answer)
})
