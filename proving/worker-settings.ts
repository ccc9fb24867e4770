import type { CommitmentKey } from './signing/commitment-signer.ts'

/** The settings that a worker thread starts with. The keys are secret: never log this. */
export interface WorkerSettings {
  verifier: 'fast' | 'snarkjs'
  maxBatch: number
  commitmentKeys: readonly CommitmentKey[]
  /** The buffer by which verifying threads share the tables of a key. */
  tables?: SharedArrayBuffer
}
