import { buildTree } from '../../../../relayer/devnet/wallet/merkle-proof.ts'
import { startProver } from '../../../../relayer/devnet/wallet/prover.ts'
import { withdrawInput } from '../../../../relayer/devnet/wallet/withdraw-input.ts'
import { computeContext, encodeRelayData, type RelayData } from '../../../../relayer/pool/state/formulas.ts'
import type { RelayVector, RelayVectors } from '../../../vectors/load-relay-vectors.ts'
import { at, stateLeaves } from '../../../vectors/relay-story.ts'

/** The withdrawal of a vector's note with other relay data, as its owner alone can prove it: some five seconds. */
export async function remakeProof(
  { story, relays }: RelayVectors,
  index: number,
  changes: Partial<RelayData>,
): Promise<RelayVector> {
  const vector = at(relays, index)
  const { deposit, amount, recipient, change } = at(story.relays, index)
  const terms = { recipient, feeRecipient: story.feeRecipient, relayFeeBps: 100n, ...changes }
  const withdrawal = { processooor: story.entrypoint, data: encodeRelayData(terms) }
  const prover = startProver()
  try {
    const made = await prover.prove(
      'withdraw',
      withdrawInput({
        note: at(story.deposits, deposit).note,
        amount,
        change,
        stateTree: buildTree(stateLeaves(story, vector.pool)),
        aspTree: buildTree(story.deposits.map(({ note }) => note.label)),
        context: computeContext(withdrawal, BigInt(vector.scope)),
      }),
    )
    return { ...vector, ...made, withdrawal, recipient: terms.recipient }
  } finally {
    await prover.close()
  }
}
