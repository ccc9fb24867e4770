import { buildTree } from '../devnet/wallet/merkle-proof.ts'
import type { ProofWithSignals, Prover } from '../devnet/wallet/prover.ts'
import { withdrawInput } from '../devnet/wallet/withdraw-input.ts'
import { at, stateLeaves, type RelayStory } from './relay-story.ts'

/** Proves a relay of the story for a context, after all deposits: some five seconds. */
export function proveRelay(
  prover: Prover,
  story: RelayStory,
  index: number,
  context: bigint,
): Promise<ProofWithSignals> {
  const { deposit, amount, change } = at(story.relays, index)
  const { pool, note } = at(story.deposits, deposit)
  const stateTree = buildTree(stateLeaves(story, pool))
  const aspTree = buildTree(story.deposits.map(({ note: { label } }) => label))
  return prover.prove('withdraw', withdrawInput({ note, amount, change, context, stateTree, aspTree }))
}
