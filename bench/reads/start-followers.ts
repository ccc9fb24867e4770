import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FollowersQuestion } from './follow-apart.ts'

/** Followers in a process of their own, so that their reading does not delay the measuring process. */
export interface FollowersProcess {
  /** @param nullifierHash Of the note that all follow; null: each follows another note, which stays unspent. */
  follow(url: string, count: number, nullifierHash: string | null): Promise<void>
  /** Events that all of them together received. */
  told(): Promise<number>
  leave(): Promise<void>
  stop(): void
}

/** Starts the process; it accepts one request at a time. */
export function startFollowers(): FollowersProcess {
  const child = fork(fileURLToPath(new URL('./follow-apart.ts', import.meta.url)))
  const ask = async (question: FollowersQuestion) => {
    const answered = once(child, 'message')
    child.send(question)
    return ((await answered)[0] as { told: number }).told
  }
  return {
    follow: async (url, count, nullifierHash) =>
      void (await ask({ do: 'follow', url, count, nullifierHash })),
    told: () => ask({ do: 'told' }),
    leave: async () => void (await ask({ do: 'leave' })),
    stop: () => void child.kill(),
  }
}
