import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'

const LOOK_MS = 200

/** Counts the tasks of the whole machine that run or wait for a core. NaN where the system does not say. */
async function countRunnable(): Promise<number> {
  const stat = await readFile('/proc/stat', 'utf8').catch(() => '')
  return Number(/^procs_running (\d+)$/m.exec(stat)?.[1] ?? Number.NaN)
}

/** Begins to watch the machine; the returned function ends that, and gives the mean of runnable tasks. */
export function watchRunnable(): () => number {
  const counts: number[] = []
  const timer = setInterval(() => void countRunnable().then((count) => counts.push(count)), LOOK_MS)
  return () => {
    clearInterval(timer)
    return counts.reduce((sum, count) => sum + count, 0) / counts.length
  }
}

/** Starts processes that want a core each and do nothing else; the returned function ends them. */
export function occupyCores(count: number): () => void {
  const busy = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  return () => {
    for (const process of busy) process.kill('SIGKILL')
  }
}
