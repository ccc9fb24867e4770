import type { ProofWithSignals } from '../../../../schema/client/pool/prover.ts'
import { startProver } from '../../../devnet/wallet/prover.ts'
import type { RelayData } from '../../../../relayer/pool/state/formulas.ts'
import type { RelayVector, RelayVectors } from '../../../vectors/load-relay-vectors.ts'
import { proveRelay } from '../../../vectors/prove-relay.ts'
import { at } from '../../../vectors/relay-story.ts'
import { describeRemade } from '../../../vectors/remade-relays.ts'

/**
 * Returns the withdrawal of a vector's note with other relay data, as its owner alone can prove it. Uses the stored
 * proof, or makes a new one in some five seconds.
 */
export async function remakeProof(
  { story, relays, remade }: RelayVectors,
  index: number,
  changes: Partial<RelayData>,
): Promise<RelayVector> {
  const vector = at(relays, index)
  const { withdrawal, recipient, context } = describeRemade(story, { relay: index, changes })
  // The same note, change, amount and roots; only the context binds the relay data.
  const signals = [...vector.publicSignals.slice(0, -1), String(context)].join()
  const made = remade.find(({ publicSignals }) => publicSignals.join() === signals)
  return { ...vector, ...(made ?? (await prove())), withdrawal, recipient }

  async function prove(): Promise<ProofWithSignals> {
    const prover = startProver()
    try {
      return await proveRelay(prover, story, index, context)
    } finally {
      await prover.close()
    }
  }
}
