import { parentPort } from 'node:worker_threads'
import { testOver } from './address-filter.ts'
import { openNodes, type Nodes } from './ask-nodes.ts'
import type { BlockFacts } from './block-facts.ts'
import { readBlock, type BlockRequest } from './read-block.ts'
import type { TraceModes } from './trace-block.ts'

/** A request to the thread: read one block of a chain, for the addresses in the filter. */
export interface ThreadRequest extends BlockRequest {
  id: number
  chainId: number
  rpcUrls: readonly string[]
  timeoutMs: number
  filter: SharedArrayBuffer
}

/** A message of the thread. Errors travel as name and message, because classes are lost between threads. */
export type ThreadAnswer =
  | { id: number; facts: BlockFacts }
  | { id: number; failure: { name: string; message: string } }

// Blocks of busy chains are megabytes of JSON; parsing them here blocks no request.
const chains = new Map<string, { nodes: Nodes; modes: TraceModes }>()

async function answer({ id, chainId, rpcUrls, timeoutMs, filter, ...request }: ThreadRequest): Promise<void> {
  const key = JSON.stringify([chainId, timeoutMs, ...rpcUrls])
  const chain = chains.get(key) ?? { nodes: openNodes(rpcUrls, timeoutMs, chainId), modes: new Map() }
  chains.set(key, chain)
  const said: ThreadAnswer = await readBlock(chain.nodes, chain.modes, request, testOver(filter)).then(
    (facts) => ({ id, facts }),
    (error: Error) => ({ id, failure: { name: error.name, message: error.message } }),
  )
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
  parentPort?.postMessage(said)
}

parentPort?.on('message', (request: ThreadRequest) => void answer(request))
