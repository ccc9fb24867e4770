import { spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface WritingService {
  pid: number
  /** Numbers that the service has committed, in order. */
  committed: number[]
  /** Whether it handled Ctrl-C. */
  wroteLast(): boolean
  /** The exit code, or null after a kill. */
  ended: Promise<number | null>
}

/** Runs `writing-service.ts` as a process of its own and waits until it has committed a few rows. */
export async function runWritingService(
  dataDir: string,
  options: SpawnOptions = {},
): Promise<WritingService> {
  const script = join(import.meta.dirname, 'writing-service.ts')
  const child = spawn(process.execPath, [script, dataDir], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const committed: number[] = []
  let wroteLast = false
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === 'last') wroteLast = true
      else committed.push(Number(line))
      if (committed.length === 20) resolve()
    })
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`the service ended with ${code} before it wrote enough`)))
  })
  return { pid: child.pid!, committed, wroteLast: () => wroteLast, ended }
}
