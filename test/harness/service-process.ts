import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import manifest from '../../package.json' with { type: 'json' }
import { findFreePort } from './find-free-port.ts'
import { inheritedEnvironment } from './inherited-environment.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const START_PATIENCE_MS = 150_000
/** The arguments that `npm start` gives to node: tests and benchmarks run the service as operators do. */
export const START_ARGUMENTS = manifest.scripts.start.split(' ').slice(1)
/** The same of `npm run start:dist`. */
export const DIST_ARGUMENTS = manifest.scripts['start:dist'].split(' ').slice(1)

/**
 * Environment for one local chain with the addresses of the vectors. The ASP does not act, because the vectors have
 * their own root.
 */
export const VECTOR_DEVNET = {
  DEVNET_CHAIN_IDS: '31337',
  DEVNET_PORTS: '0',
  DEVNET_DETERMINISTIC: 'true',
  ASP_DELAY_SECONDS: '3600',
}

/**
 * The service as an operator runs it: its own process on embedded defaults, which can be killed and started again.
 */
export interface ServiceProcess {
  url: string
  /** Starts it and waits until it is ready. */
  start(): Promise<void>
  /** SIGKILL: the process cannot clean up. */
  kill(): Promise<void>
  /** SIGTERM; returns the exit code. */
  stop(): Promise<number | null>
  /** Sends it a signal that does not end it. */
  signal(name: NodeJS.Signals): void
  /** The process's output since the last start. */
  output(): string
}

export async function createServiceProcess(
  env: Record<string, string>,
  nodeArguments: readonly string[] = START_ARGUMENTS,
  /** A checkout, for instance of another version. */
  root: string = ROOT,
): Promise<ServiceProcess> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  let output = ''

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const exited = once(child, 'exit') as Promise<[number | null]>
    child.kill(signal)
    const [code] = await exited
    return code
  }

  return {
    url,
    output: () => output,
    async start() {
      output = ''
      const started = spawn(process.execPath, nodeArguments, {
        cwd: root,
        env: { ...inheritedEnvironment(), PORT: String(port), LOG_LEVEL: 'warn', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = started
      for (const stream of [started.stdout, started.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
      const deadline = Date.now() + START_PATIENCE_MS
      while (Date.now() < deadline) {
        if (started.exitCode !== null)
          throw new Error(`the service ended with ${started.exitCode}:\n${output}`)
        const ready = await fetch(`${url}/health/ready`).catch(() => null)
        if (ready?.status === 200) return
        await sleep(100)
      }
      throw new Error(`the service is not ready after ${START_PATIENCE_MS} ms:\n${output}`)
    },
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    signal: (name) => void child?.kill(name),
  }
}
