import { readFileSync } from 'node:fs'
import type { Circuit, Groth16Proof } from '../../../proving/proving-pool.ts'

/** A proof with its public signals; tests may change it. */
export interface ProofVector {
  circuit: Circuit
  proof: Groth16Proof
  publicSignals: string[]
}

/** The real proofs of test/vectors/groth16.json (made by make-vectors.ts), as fresh copies. */
export function loadProofs(circuit: Circuit): ProofVector[] {
  const text = readFileSync(new URL('../../vectors/groth16.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as ProofVector[]).filter((vector) => vector.circuit === circuit)
}
