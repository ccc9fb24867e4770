import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** A running process that serves HTTP on a port of the loopback address. */
export interface KeptProcess {
  url: string
  stop: () => Promise<void>
}

/** A program that says `{ kind: 'ready', port }` once it serves. */
export interface KeptProgram {
  /** Path of the module. */
  program: string
  /** As in sentences: "the ASP". */
  name: string
  /** The wanted port, 0 for any; after a restart it is the first one again. */
  port: number
  /** How somebody whose port is taken gets another one. */
  portHint: string
  /** What it gets when it starts, besides the port. */
  settings: () => object
  /** Hears everything but that it is ready. */
  onMessage: (message: unknown) => void
}

const RESTART_AFTER_MS = 500

/**
 * Starts a program in a process of its own and restarts it when it ends; it dies with this process.
 * @throws Error when it ends before it is ready.
 */
export async function keepProcess(
  { program, name, portHint, settings, onMessage, ...wanted }: KeptProgram,
  logger: Logger,
): Promise<KeptProcess> {
  let stopping = false
  let child: ChildProcess
  let { port } = wanted

  const launch = async (): Promise<void> => {
    child = fork(program, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    const current = child
    const ready = new Promise<number>((resolve, reject) => {
      current.on('message', (message: { kind: string; port?: number }) => {
        if (message.kind === 'ready') resolve(Number(message.port))
        else onMessage(message)
      })
      current.once('exit', (code) => {
        const hint = port === 0 ? '' : `: is port ${port} taken? ${portHint}`
        reject(new Error(`The devnet's ${name} did not start (exit code ${code})${hint}`))
      })
    })
    current.send({ ...settings(), port })
    port = await ready
    current.once('exit', (code) => {
      if (!stopping) void relaunch(code)
    })
  }
  const relaunch = async (code: number | null): Promise<void> => {
    logger.error({ code }, `the ${name} ended by itself: starting it again`)
    await sleep(RESTART_AFTER_MS)
    if (stopping) return
    await launch().catch((error: unknown) =>
      logger.error({ err: error }, `the ${name} could not be started again`),
    )
  }

  await launch()
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      stopping = true
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
