import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { locateAnvil } from '../../../devnet/anvil/locate-anvil.ts'
import { findFreePort } from '../../../harness/find-free-port.ts'

/** A bare local chain without accounts; one block per transaction unless the arguments say otherwise. */
export interface Node {
  url: string
  /** Sends a JSON-RPC request and returns its result. */
  ask<Result>(method: string, ...params: unknown[]): Promise<Result>
  /** Suspends the process: connections stay open, but nothing is answered. */
  freeze(): Promise<void>
  resume(): void
  stop(): Promise<void>
}

export async function startNode(...args: string[]): Promise<Node> {
  const port = await findFreePort()
  const child = spawn(
    locateAnvil(),
    ['--port', String(port), '--silent', '--accounts', '1', '--hardfork', 'prague', ...args],
    { stdio: 'ignore' },
  )
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`

  async function ask<Result>(method: string, ...params: unknown[]): Promise<Result> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const answer = (await response.json()) as { result?: Result; error?: { message: string } }
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result as Result
  }

  async function isUp(): Promise<boolean> {
    return ask('eth_chainId').then(
      () => true,
      () => false,
    )
  }
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`anvil ended with code ${child.exitCode}`)
    await sleep(20)
  }
  return {
    url,
    ask,
    async freeze() {
      child.kill('SIGSTOP')
      // The signal may not have arrived yet: on a busy machine a thread may still answer.
      while (isAnyThreadAwake(child.pid)) await sleep(1)
    },
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Whether any thread of a stopped process still runs; false if that cannot be observed. */
function isAnyThreadAwake(pid: number | undefined): boolean {
  const threads = `/proc/${pid}/task`
  if (!existsSync(threads)) return false
  const states = readdirSync(threads).map((thread) => readStat(`${threads}/${thread}/stat`))
  return states.some((state) => !/\) [TZ] /.test(state))
}

function readStat(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return 'a thread that has just ended: look again'
  }
}
