import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findFreePort } from './find-free-port.ts'
import { findProgram } from './find-program.ts'

export interface RedisServer {
  url: string
  /** Stops the server immediately; its data is lost. */
  stop(): Promise<void>
  /** Suspends the server until `resume`: connections stay open, but nothing is answered. */
  freeze(): void
  resume(): void
}

/** The program of a Redis server; see {@link findProgram}. */
export const findRedisServer = (test: string): string | undefined => findProgram('redis-server', test)

/** Starts a Redis server that stores nothing on disk. @param port A free one unless given. */
export async function startRedis(program: string, port?: number): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), 'test-redis-'))
  const chosen = port ?? (await findFreePort())
  const settings = [
    '--port',
    String(chosen),
    '--bind',
    '127.0.0.1',
    '--dir',
    directory,
    '--save',
    '',
    '--appendonly',
    'no',
  ]
  const child = spawn(program, settings, { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  await new Promise<void>((resolve, reject) => {
    let log = ''
    createInterface({ input: child.stdout }).on('line', (line) => {
      log += `${line}\n`
      if (line.includes('Ready to accept connections')) resolve()
    })
    child.once('error', reject)
    child.once('close', () => reject(new Error(`redis-server did not start: ${log}`)))
  })
  return {
    url: `redis://127.0.0.1:${chosen}`,
    freeze: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGKILL')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}
