import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** The first message of a part of the process, with the port that it serves. */
export interface Ready {
  kind: 'ready'
  port: number
}

/** A part of the process that serves HTTP on a port of the loopback address. */
export interface KeptPart {
  /** As in sentences: "the ASP". */
  name: string
  /** The wanted port, 0 for any; after a restart it is the first one again. */
  port: number
  /** The setting that gives another port when this one is taken. */
  portHint: string
  /** Its start settings, besides the port. */
  settings: () => object
  /** Hears everything but that it is ready. */
  onMessage: (message: unknown) => void
}

/** The running process: its parts by their keys. */
export interface KeptProcess {
  urlOf(part: string): string
  stop: () => Promise<void>
}

const RESTART_AFTER_MS = 500

/**
 * Starts the parts in one process of their own and restarts it when it ends; it dies with this process.
 * @param program Path of its module, which is loaded while the parts are still unknown.
 * @param described By the program's keys; the process ends if they cannot be described.
 * @throws Error when it ends before all of them are ready, or that of `described`.
 */
export async function keepProcess(
  program: string,
  described: Promise<ReadonlyMap<string, KeptPart>>,
  logger: Logger,
): Promise<KeptProcess> {
  const forkProgram = () => fork(program, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const first = forkProgram()
  const parts = await described.catch((error: unknown) => {
    first.kill('SIGKILL')
    throw error
  })
  const ports = new Map([...parts].map(([key, { port }]) => [key, port]))
  const names = [...parts.values()].map(({ name }) => name).join(', ')
  let stopping = false
  let child: ChildProcess

  const launch = async (current: ChildProcess): Promise<void> => {
    child = current
    const missing = new Set(parts.keys())
    const ready = new Promise<void>((resolve, reject) => {
      current.on('message', ({ part, message }: { part: string; message: Ready | { kind: string } }) => {
        if (message.kind !== 'ready') return parts.get(part)?.onMessage(message)
        ports.set(part, (message as Ready).port)
        missing.delete(part)
        if (missing.size === 0) resolve()
      })
      const fail = (code: number | null) => {
        const hints = [...missing].flatMap((key) => {
          const [port, part] = [ports.get(key), parts.get(key)]
          return part && port ? [`: is port ${port} taken? ${part.portHint}`] : []
        })
        reject(new Error(`The devnet's ${names} did not start (exit code ${code})${hints.join('')}`))
      }
      current.once('exit', fail)
      // It may have ended before any message could reach it.
      if (current.exitCode !== null || current.signalCode !== null) fail(current.exitCode)
    })
    for (const [part, { settings }] of parts)
      // A message that is not delivered is followed by the end of the process, which is handled above.
      current.send({ part, settings: { ...settings(), port: ports.get(part) } }, () => undefined)
    await ready
    current.once('exit', (code) => {
      if (!stopping) void relaunch(code)
    })
  }
  const relaunch = async (code: number | null): Promise<void> => {
    logger.error({ code }, `the devnet's ${names} ended: starting them again`)
    await sleep(RESTART_AFTER_MS)
    if (stopping) return
    await launch(forkProgram()).catch((error: unknown) =>
      logger.error({ err: error }, `the devnet's ${names} could not be started again`),
    )
  }

  await launch(first)
  return {
    urlOf: (part) => `http://127.0.0.1:${ports.get(part)}`,
    stop: async () => {
      stopping = true
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
