import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The peer in a process of its own. */
export interface HonoPeer {
  url: string
  /** Milliseconds of CPU since its start. */
  readCpu(): Promise<number>
  stop(): void
}

/** Starts the address book, written as one would with hono, over the service's own database and keys. */
export async function startHonoPeer(settings: { databaseUrl: string; keysUrl: string }): Promise<HonoPeer> {
  const child = fork(fileURLToPath(new URL('./hono-peer.ts', import.meta.url)), {
    env: { ...process.env, PEER_DATABASE: settings.databaseUrl, PEER_KEYS: settings.keysUrl },
  })
  const answer = async () => (await once(child, 'message'))[0] as { port: number; cpuMs: number }
  const { port } = await answer()
  return {
    url: `http://127.0.0.1:${port}`,
    async readCpu() {
      const answered = answer()
      child.send('cpu')
      return (await answered).cpuMs
    },
    stop: () => void child.kill(),
  }
}
