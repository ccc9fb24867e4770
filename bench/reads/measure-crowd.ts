import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../test/harness/find-free-port.ts'
import { START_ARGUMENTS } from '../../test/harness/service-process.ts'
import type { FollowersProcess } from './start-followers.ts'

/** For the aftermath of a crowd. */
const SETTLE_MS = 2_000

/** The memory of a crowd of waiting followers, in megabytes. */
export interface CrowdMemory {
  /** Growth of the process, including what the arrival left behind. */
  grown: number
  /** Memory in use for the crowd after garbage collection. */
  inUse: number
}

/** Environment of a process that {@link measureCrowd} can measure. */
export async function openMeasuredEnv(): Promise<Record<'NODE_OPTIONS' | 'GARBAGE_PORT', string>> {
  const hook = new URL('../service/collect-garbage.ts', import.meta.url)
  return { NODE_OPTIONS: `--import=${hook.href}`, GARBAGE_PORT: String(await findFreePort()) }
}

/**
 * Measures the memory of a crowd that arrives. Garbage is collected before both readings, so that their difference is the
 * crowd's alone.
 */
export async function measureCrowd(
  { GARBAGE_PORT: port }: { GARBAGE_PORT: string },
  come: () => Promise<void>,
): Promise<CrowdMemory> {
  const look = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}`)
    return (await answer.json()) as NodeJS.MemoryUsage
  }
  const before = await look()
  await come()
  await sleep(SETTLE_MS)
  const after = await look()
  const used = ({ heapUsed, external }: NodeJS.MemoryUsage) => heapUsed + external
  return { grown: (after.rss - before.rss) / 2 ** 20, inUse: (used(after) - used(before)) / 2 ** 20 }
}

/** The same of a server of node:http alone, which checks nothing, with the arguments of the service. */
export async function measureBareCrowd(followers: FollowersProcess, count: number): Promise<CrowdMemory> {
  const env = await openMeasuredEnv()
  const child = fork(fileURLToPath(new URL('./bare-streams.ts', import.meta.url)), {
    env: { ...process.env, ...env },
    execArgv: START_ARGUMENTS.filter((argument) => argument.startsWith('--')),
  })
  try {
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    const url = `http://127.0.0.1:${port}`
    // Code that the first requests compile and load is not the crowd's.
    await followers.follow(url, 8, null)
    await followers.leave()
    const taken = await measureCrowd(env, () => followers.follow(url, count, null))
    await followers.leave()
    return taken
  } finally {
    child.kill()
  }
}
