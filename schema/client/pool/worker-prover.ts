// SPDX-License-Identifier: MIT
/** Proofs in a worker: the page stays quick, and the memory of a proof goes with its worker. */
import type { Circuit, Prover, ProofWithSignals } from './prover.ts'
import type { CircuitInput } from './withdraw-input.ts'

interface ProofOrder {
  circuit: Circuit
  input: CircuitInput
}
type ProofAnswer = { proven: ProofWithSignals } | { failure: string }

/** The part of a `Worker` that a prover needs. */
export interface ProofWorker {
  postMessage(message: unknown): void
  addEventListener(type: 'message' | 'error', listen: (event: object) => void): void
  terminate(): void
}

/**
 * A prover that makes each proof in a worker of its own, whose script calls `serveProofs`:
 * `createWorkerProver(() => new Worker(new URL('./proofs.ts', import.meta.url), { type: 'module' }))`.
 */
export const createWorkerProver = (openWorker: () => ProofWorker): Prover => ({
  async prove(circuit, input) {
    const worker = openWorker()
    try {
      return await new Promise<ProofWithSignals>((resolve, reject) => {
        worker.addEventListener('error', (event) =>
          reject(new Error((event as { message?: string }).message || 'the worker did not start')),
        )
        worker.addEventListener('message', (event) => {
          const answer = (event as { data: ProofAnswer }).data
          if ('proven' in answer) resolve(answer.proven)
          else reject(new Error(answer.failure))
        })
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
        worker.postMessage({ circuit, input } satisfies ProofOrder)
      })
    } finally {
      worker.terminate()
    }
  },
})

/** Inside a worker: makes the proofs that `createWorkerProver` asks for. */
export function serveProofs(prover: Prover): void {
  const scope = globalThis as unknown as Pick<ProofWorker, 'postMessage' | 'addEventListener'>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
  const answer = (message: ProofAnswer) => scope.postMessage(message)
  scope.addEventListener('message', (event) => {
    const { circuit, input } = (event as { data: ProofOrder }).data
    prover.prove(circuit, input).then(
      (proven) => answer({ proven }),
      (error: unknown) => answer({ failure: error instanceof Error ? error.message : String(error) }),
    )
  })
}
