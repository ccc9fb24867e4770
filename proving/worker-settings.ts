import type { CommitmentKey } from './signing/commitment-signer.ts'

/** What a worker thread is given when it starts. The keys are secret: never log this. */
export interface WorkerSettings {
  maxBatch: number
  commitmentKeys: readonly CommitmentKey[]
  /** By which verifying threads share the tables of a key. */
  tables?: SharedArrayBuffer
}
