import { buildTree } from '../../schema/client/pool/merkle-proof.ts'
import { withdrawInput } from '../../schema/client/pool/withdraw-input.ts'
import type { ProofWithSignals } from '../../schema/client/pool/prover.ts'
import type { Prover } from '../devnet/wallet/prover.ts'
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
