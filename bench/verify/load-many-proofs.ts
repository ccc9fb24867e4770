import { loadRelayVectors } from '../../test/vectors/load-relay-vectors.ts'
import type { ProofVector } from '../../test/proving/groth16/load-proofs.ts'
import { rerandomizeProof } from '../../test/proving/groth16/rerandomize-proof.ts'

/** Returns `count` different valid withdraw proofs: the real ones, then others of the same statements. */
export function loadManyProofs(count: number): ProofVector[] {
  const real = loadRelayVectors().relays.map(({ proof, publicSignals }): ProofVector => ({
    circuit: 'withdraw',
    proof,
    publicSignals,
  }))
  return Array.from({ length: count }, (_, index) => {
    const vector = real[index % real.length]
    if (!vector) throw new Error('there are no vectors')
    return index < real.length ? vector : rerandomizeProof(vector)
  })
}

/** Returns a well-formed proof of nothing: it costs all the work of a valid one. */
export function spoilProof(vector: ProofVector): ProofVector {
  const { pi_a, pi_c } = vector.proof
  return { ...vector, proof: { ...vector.proof, pi_a: pi_c, pi_c: pi_a } }
}
