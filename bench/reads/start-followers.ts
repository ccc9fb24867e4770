import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FollowersQuestion } from './follow-apart.ts'

/** Followers in a process of their own, so that what they read does not keep the one who measures from its own answer. */
export interface FollowersProcess {
  /** @param nullifierHash Of the note that all follow; null: each follows another that nobody spends. */
  follow(url: string, count: number, nullifierHash: string | null): Promise<void>
  /** Events that came for all of them together. */
  told(): Promise<number>
  leave(): Promise<void>
  stop(): void
}

/** Starts the process; it is asked one thing at a time. */
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
