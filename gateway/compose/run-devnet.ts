import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Hex } from 'viem'
import { z } from 'zod'
import type { DevnetConfig } from '../config/devnet-config.ts'
import {
  devnetMessage,
  type DevnetMessage,
  type DevnetReport,
  type DevnetRequest,
  type DevnetStart,
} from './devnet-report.ts'
import { ConfigError } from '../config/config-error.ts'

const PROGRAM = join(import.meta.dirname, '../../test/devnet/main.ts')

/** The devnet failed; the message is written for the operator. */
export class DevnetError extends Error {
  override name = 'DevnetError'
}

/** Settings of a devnet to start. */
export interface DevnetPlan {
  dataDir: string
  config: DevnetConfig
  logger: Logger
  /** Reports slow steps. */
  onProgress?: (what: string) => void
}

/** A devnet that runs for this service. */
export interface RunningDevnet extends DevnetReport {
  /** Points the devnet's names to the service, once it listens. @param serviceUrl Without a slash at its end. */
  pointNames(serviceUrl: string): Promise<void>
}

/** A devnet that is starting its chains. */
export interface StartingDevnet {
  /** Signs fee commitments on its chains. */
  feeReceiverKey: Hex
  /** Rejects with a DevnetError. */
  running: Promise<RunningDevnet>
  /** Stops it; its chains write their state first. */
  stop(): Promise<void>
}

/**
 * Starts the devnet's program. It ends with this process, however that ends. If it ends by itself, one log line says
 * so.
 *
 * @throws ConfigError if this installation has no devnet, and DevnetError when it refuses to start.
 */
export async function runDevnet({
  dataDir,
  config,
  logger,
  onProgress = () => {},
}: DevnetPlan): Promise<StartingDevnet> {
  if (!existsSync(PROGRAM))
    throw new ConfigError(
      'No chains are configured: set CONFIG to a JSON file that names them (OPERATING.md, "A configuration").\n' +
        'The devnet, which would run instead, is not part of this installation.',
    )
  const start: DevnetStart = { dataDir, config, logLevel: logger.level }
  // In a process group of its own: Ctrl-C reaches only this process, which then stops the devnet in order.
  const child = fork(PROGRAM, [JSON.stringify(start)], {
    execArgv: [],
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  // All its messages arrive before it is disconnected.
  const ended = Promise.all([once(child, 'exit'), once(child, 'disconnect')]).then(
    ([[code, signal]]) => String(signal ?? `exit code ${code}`),
    (error: Error) => error.message,
  )
  const hear = createEar(child, ended)
  child.on('message', (said: DevnetMessage) => {
    if (said.kind === 'progress') onProgress(said.text)
  })
  const accepting = hear('accepted')
  const running = hear('running')
  // Callers that wait for it handle the rejection.
  running.catch(() => undefined)
  let stopping = false
  void running.then(
    async () => {
      const how = await ended
      if (!stopping)
        logger.error({ how }, 'the devnet ended, and its chains with it: start the service again')
    },
    () => undefined,
  )

  const { feeReceiverKey } = await accepting
  return {
    feeReceiverKey,
    running: running.then(({ report }) => ({
      ...report,
      async pointNames(serviceUrl) {
        const pointed = hear('names-pointed')
        child.send({ kind: 'point-names', serviceUrl } satisfies DevnetRequest, () => undefined)
        await pointed
      },
    })),
    async stop() {
      stopping = true
      child.kill('SIGTERM')
      await ended
    },
  }
}

type Said<Kind> = Extract<z.output<typeof devnetMessage>, { kind: Kind }>

/** Returns a function that waits for the program's next message of a kind. @throws DevnetError if it fails or ends before. */
function createEar(child: ChildProcess, ended: Promise<string>) {
  return <Kind extends DevnetMessage['kind']>(kind: Kind): Promise<Said<Kind>> => {
    const { promise, resolve, reject } = Promise.withResolvers<Said<Kind>>()
    const onMessage = (message: { kind: string }) => {
      if (message.kind !== kind && message.kind !== 'failed') return
      const { data, error } = devnetMessage.safeParse(message)
      if (!data) reject(new DevnetError(`The devnet is not understood: ${z.prettifyError(error)}`))
      else if (data.kind === 'failed') reject(new DevnetError(`The devnet did not start: ${data.reason}`))
      else resolve(data as Said<Kind>)
    }
    child.on('message', onMessage)
    void ended.then((how) => reject(new DevnetError(`The devnet ended by itself (${how})`)))
    return promise.finally(() => child.off('message', onMessage))
  }
}
