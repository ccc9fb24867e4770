import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Circuit, ProofWithSignals, Prover as ClientProver } from '../../../schema/client/pool/prover.ts'
import type { CircuitInput } from '../../../schema/client/pool/withdraw-input.ts'

/** Between the prover and its process. */
export interface ProveJob {
  circuit: Circuit
  input: CircuitInput
}
/** The answer of the prover's process. */
export type ProveOutcome = { ok: true; result: ProofWithSignals } | { ok: false; reason: string }

/** Makes proofs in a process of its own, so that the caller's event loop stays free. One at a time. */
export interface Prover extends ClientProver {
  /**
   * A withdraw proof takes 4 to 5 seconds on two cores and 460 MB; a commitment proof half a second.
   * @throws Error where the input does not satisfy the circuit.
   */
  prove(circuit: Circuit, input: CircuitInput): Promise<ProofWithSignals>
  close(): Promise<void>
}

/** Starts the process; it ends with {@link Prover.close}, or with this process. */
export function startProver(): Prover {
  const program = fileURLToPath(new URL('./prove-process.ts', import.meta.url))
  const child = fork(program, {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // A job that cannot be sent says so itself.
  child.on('error', () => undefined)
  let last: Promise<unknown> = Promise.resolve()

  const run = async (job: ProveJob): Promise<ProofWithSignals> => {
    const ended = new AbortController()
    const { signal } = ended
    try {
      const answer = once(child, 'message', { signal }) as Promise<[ProveOutcome]>
      const death = once(child, 'exit', { signal }).then(() => Promise.reject(new Error('the prover ended')))
      const sent = new Promise<never>((_, reject) => {
        child.send(job, (error) => error && reject(new Error('the prover ended', { cause: error })))
      })
      const [outcome] = await Promise.race([answer, death, sent])
      if (!outcome.ok) throw new Error(`no proof could be made: ${outcome.reason}`)
      return outcome.result
    } finally {
      ended.abort()
    }
  }

  return {
    async prove(circuit, input) {
      const result = last.then(() => run({ circuit, input }))
      last = result.catch(() => undefined)
      return result
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
