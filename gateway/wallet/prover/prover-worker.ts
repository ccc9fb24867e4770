// A worker: a proof takes seconds and hundreds of megabytes, and ends with it. Its file has a policy of its own, which admits
// WebAssembly; the page's does not.
import { groth16 } from 'snarkjs'
import { CIRCUIT_FILES } from 'stealth-relay/client/pool'
import { CircuitFileProblem, loadCircuitFile } from './load-circuit-file.ts'
import type { ProofOrder, ProverNews } from './prover-news.ts'

/** Threads of its own would need workers from strings, which the policy refuses. */
const ALONE = { singleThread: true }

const report = (news: ProverNews) => postMessage(news)

addEventListener('message', ({ data }: MessageEvent<ProofOrder>) => {
  prove(data).then(
    (proven) => report({ kind: 'proven', proven }),
    (error: unknown) =>
      report({
        kind: 'failed',
        problem: error instanceof CircuitFileProblem ? error.kind : 'proof',
        text: String(error),
      }),
  )
})

async function prove({ circuit, input }: ProofOrder) {
  const { wasm, zkey } = CIRCUIT_FILES[circuit]
  const total = wasm.bytes + zkey.bytes
  let loaded = 0
  const count = (bytes: number) => {
    loaded += bytes
    report({ kind: 'loading', part: loaded / total })
  }
  const files = await Promise.all([loadCircuitFile(wasm, count), loadCircuitFile(zkey, count)])
  report({ kind: 'proving' })
  return groth16.fullProve(input, ...files, undefined, undefined, ALONE)
}
