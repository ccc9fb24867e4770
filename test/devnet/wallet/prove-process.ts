import { createRequire } from 'node:module'
import { circuitFile } from './circuit-files.ts'
import type { CircuitInput } from '../../../schema/client/pool/withdraw-input.ts'
import type { ProofWithSignals } from '../../../schema/client/pool/prover.ts'
import type { ProveJob, ProveOutcome } from './prover.ts'
import { exitProcess } from '../../../relayer/concurrency/run-contained.ts'

interface SnarkJs {
  groth16: { fullProve(input: CircuitInput, wasm: string, zkey: string): Promise<ProofWithSignals> }
}

const snarkjs = createRequire(import.meta.url)('snarkjs') as SnarkJs

process.on('disconnect', () => exitProcess(0))
process.on('message', (job) => void answer(job as ProveJob))

async function answer({ circuit, input }: ProveJob): Promise<void> {
  process.send?.(await prove(circuit, input))
}

async function prove(circuit: ProveJob['circuit'], input: CircuitInput): Promise<ProveOutcome> {
  try {
    const made = await snarkjs.groth16.fullProve(
      input,
      circuitFile(circuit, 'wasm'),
      circuitFile(circuit, 'zkey'),
    )
    return { ok: true, result: made }
  } catch (error) {
    return { ok: false, reason: String(error) }
  }
}
