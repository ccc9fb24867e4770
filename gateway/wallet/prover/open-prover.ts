import type { Prover, ProofWithSignals } from 'stealth-relay/client/pool'
import { trustScript } from '../trust-script.ts'
import { CircuitFileProblem } from './load-circuit-file.ts'
import type { ProofOrder, ProverNews } from './prover-news.ts'
// oxlint-disable-next-line import/default -- vite makes it: the URL of the built worker
import workerUrl from './prover-worker.ts?worker&url'

/** How far a proof is: `part` of the circuit's files is there, from 0 to 1. */
export type ShowProof = (state: 'loading' | 'proving', part?: number) => void

/** A prover that makes each proof in a worker of its own, which gives its memory back. */
export const openProver = (show: ShowProof): Prover => ({
  prove: (circuit, input) => proveInWorker({ circuit, input }, show),
})

/** @throws CircuitFileProblem; Error where the input does not satisfy the circuit. */
function proveInWorker(order: ProofOrder, show: ShowProof): Promise<ProofWithSignals> {
  const worker = new Worker(trustScript(workerUrl), { type: 'module' })
  const proof = new Promise<ProofWithSignals>((resolve, reject) => {
    worker.addEventListener('error', ({ message }) =>
      reject(new Error(message || 'the prover did not start')),
    )
    worker.addEventListener('message', ({ data: news }: MessageEvent<ProverNews>) => {
      if (news.kind === 'loading') show('loading', news.part)
      else if (news.kind === 'proving') show('proving')
      else if (news.kind === 'proven') resolve(news.proven)
      else reject(news.problem === 'proof' ? new Error(news.text) : new CircuitFileProblem(news.problem))
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    worker.postMessage(order)
  })
  return proof.finally(() => worker.terminate())
}
