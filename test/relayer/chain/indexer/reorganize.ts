import { describeCall, type Call } from './chain-calls.ts'
import { type IndexWorld } from './start-index-world.ts'

/** Replaces the newest blocks: their transactions are dropped, and the given calls are spread over the new blocks. */
export async function reorganize(world: IndexWorld, depth: number, calls: readonly Call[]): Promise<void> {
  const pairs = calls.map((call, index) => [describeCall(call), index % depth])
  await world.ask('anvil_reorg', depth, pairs)
  await world.ask('anvil_dropAllTransactions')
}
