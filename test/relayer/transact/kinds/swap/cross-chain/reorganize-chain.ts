import { controlBlocks, type Blocks } from '../../../../../harness/control-blocks.ts'
import type { BridgedChain } from './open-bridged-chains.ts'
import { askChain } from './watch-orders.ts'

/** How a chain makes its blocks. */
export const blocksOf = (chain: BridgedChain): Blocks =>
  controlBlocks((method, ...params) => askChain(chain, method, ...params))

/** Replaces the newest blocks by empty ones and adds one; their transactions are dropped. */
export async function reorganizeChain(chain: BridgedChain, depth: number): Promise<void> {
  const blocks = blocksOf(chain)
  await blocks.hold()
  await askChain(chain, 'anvil_reorg', depth, [])
  await askChain(chain, 'anvil_dropAllTransactions')
  await blocks.mine()
  await blocks.release()
}
