import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('./crowd-process.ts', import.meta.url))

/** Attackers that hold nothing. */
export interface FreeCrowd {
  urls: readonly string[]
  /** Of the quotes that they ask for. */
  chainId: number
  accounts: number
  /** Between two rounds of an account, each of six requests. Milliseconds. */
  roundMs: number
  readers: number
}

/**
 * Lets free accounts and slow readers come, in a process of their own: an honest client's times are then the service's,
 * not those of a process that it shares with its attackers. The returned function ends them, and counts what they did.
 */
export function startCrowd(crowd: FreeCrowd): () => Promise<Record<string, number>> {
  const child = fork(PROGRAM, [JSON.stringify(crowd)], {
    execArgv: [],
    env: { ...process.env, FIRST_CLIENT: '20000' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const counts = once(child, 'message') as Promise<[Record<string, number>]>
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`the crowd ended by itself: ${code}`)
  })
  counts.catch(() => undefined)
  return async () => {
    child.send('end')
    const [counted] = await Promise.race([counts, died])
    return counted
  }
}
