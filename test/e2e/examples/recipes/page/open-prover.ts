import { createWorkerProver } from 'stealth-relay/client/pool'

/** A worker for each proof: its memory goes with it. */
export const openProver = () =>
  createWorkerProver(() => new Worker(new URL('./proofs.ts', import.meta.url), { type: 'module' }))
