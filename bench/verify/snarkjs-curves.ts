import { buildBn128 } from 'ffjavascript'
import { groth16, type Groth16Proof } from 'snarkjs'
import type { ProofVector } from '../../test/proving/groth16/load-proofs.ts'
import { CIRCUIT_KEYS } from '../../proving/groth16/verification-key.ts'

/** The variable where snarkjs searches for a curve before it builds one. */
const place = globalThis as { curve_bn128?: unknown }

/** snarkjs with its curve in worker threads, which is its default, and in one thread. */
export interface SnarkjsCurves {
  verify(vector: ProofVector, threads: 'many' | 'one'): Promise<boolean>
  close(): Promise<void>
}

export async function loadSnarkjsCurves(): Promise<SnarkjsCurves> {
  const many = await buildBn128()
  const one = await buildBn128(true)
  return {
    verify({ circuit, proof, publicSignals }, threads) {
      place.curve_bn128 = threads === 'many' ? many : one
      return groth16.verify(CIRCUIT_KEYS[circuit], publicSignals, proof as Groth16Proof)
    },
    close: () => many.terminate(),
  }
}
