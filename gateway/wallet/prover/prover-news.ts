import type { Circuit, CircuitInput, ProofWithSignals } from 'stealth-relay/client/pool'

/** A proof that the page wants. */
export interface ProofOrder {
  circuit: Circuit
  input: CircuitInput
}

/** How far the worker is. */
export type ProverNews =
  /** `part` of the circuit's files is there, from 0 to 1. */
  | { kind: 'loading'; part: number }
  | { kind: 'proving' }
  | { kind: 'proven'; proven: ProofWithSignals }
  | { kind: 'failed'; problem: 'lost' | 'altered' | 'proof'; text: string }
