import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Address, Hex } from 'viem'
import type { AspChainSettings } from './asp-chain.ts'

/** Settings that the ASP process gets when it starts. */
export interface AspSettings {
  chains: AspChainSettings[]
  postmanKey: Hex
  delaySeconds: number
  declined: Address[]
  port: number
}

/** What the ASP process says. */
export type AspMessage =
  | { kind: 'ready'; port: number }
  | { kind: 'published'; chainId: number; labels: number }
  | { kind: 'failure'; chainId: number; reason: string }

/** The running association set provider. */
export interface Asp {
  url: string
  stop: () => Promise<void>
}

const RESTART_AFTER_MS = 500
const program = fileURLToPath(new URL('./asp-process.ts', import.meta.url))

/** Starts the ASP in a process of its own and restarts it when it ends; it dies with this process. */
export async function startAsp(settings: AspSettings, logger: Logger): Promise<Asp> {
  let stopping = false
  let child: ChildProcess
  let { port } = settings

  const launch = async (): Promise<void> => {
    child = fork(program, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    const current = child
    const ready = new Promise<number>((resolve, reject) => {
      current.on('message', (message) => {
        const said = message as AspMessage
        if (said.kind === 'ready') resolve(said.port)
        else if (said.kind === 'published') logger.debug(said, 'the ASP published a root')
        else logger.warn(said, 'the ASP could not advance')
      })
      current.once('exit', (code) => reject(new Error(explainExit(code, port))))
    })
    current.send({ ...settings, port })
    port = await ready
    current.once('exit', (code) => {
      if (!stopping) void relaunch(code)
    })
  }
  const relaunch = async (code: number | null): Promise<void> => {
    logger.error({ code }, 'the ASP ended by itself: starting it again')
    await sleep(RESTART_AFTER_MS)
    if (stopping) return
    await launch().catch((error: unknown) =>
      logger.error({ err: error }, 'the ASP could not be started again'),
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

function explainExit(code: number | null, port: number): string {
  const hint = port === 0 ? '' : `: is port ${port} taken? ASP_PORT=0 takes a free one`
  return `The devnet's ASP did not start (exit code ${code})${hint}`
}
