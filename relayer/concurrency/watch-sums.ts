import { coalesceRuns } from './coalesce-runs.ts'
import { yieldMerged } from './yield-merged.ts'

/** The sums to watch, and how. */
export interface WatchedSums {
  /** Returns the sum of each key, a text that changes whenever the watched data does; an absent key has the empty sum. */
  readSums(keys: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Milliseconds between reads while a follower exists. */
  everyMs: number
  /** Called with the error of a failed read; the next read follows as usual. */
  onFailure(error: unknown): void
}

/** Wakes the followers of a key whenever its sum changes. */
export interface SumWatch {
  /**
   * Yields after the first read and after each read that found a new sum, until the signal is aborted. Changes that come
   * faster than they are consumed are merged. The first yield covers all changes since an earlier read by the follower. The
   * value is the time of the read, by `performance.now()`, and the same for all followers of the key.
   */
  follow(key: string, signal: AbortSignal): AsyncGenerator<number>
  /** Reads the sums now rather than at the next interval; does nothing without followers. */
  look(): void
  stop(): void
}

/** Polls the sums of all followed keys by one read. Writers need not notify it, in whichever instance they run. */
export function createSumWatch({ readSums, everyMs, onFailure }: WatchedSums): SumWatch {
  const followers = new Map<string, Set<(lookedAt: number) => void>>()
  const sums = new Map<string, string>()
  const look = coalesceRuns(() => lookAtSums(readSums, followers, sums), onFailure)
  let timer: NodeJS.Timeout | undefined

  function schedule(): void {
    timer = setTimeout(() => {
      void look().finally(() => (followers.size > 0 ? schedule() : (timer = undefined)))
    }, everyMs)
    timer.unref()
  }

  function add(key: string, wake: (lookedAt: number) => void): void {
    followers.set(key, (followers.get(key) ?? new Set()).add(wake))
    // Forgets the sum, so the next read wakes the new follower, which thus misses no earlier change.
    sums.delete(key)
    if (!timer) schedule()
  }

  function remove(key: string, wake: (lookedAt: number) => void): void {
    const those = followers.get(key)
    those?.delete(wake)
    if (those?.size !== 0) return
    followers.delete(key)
    sums.delete(key)
  }

  return {
    follow(key, signal) {
      let changedAt: number | null = null
      return yieldMerged(signal, {
        take() {
          const lookedAt = changedAt
          changedAt = null
          return lookedAt
        },
        listen(wake) {
          const note = (lookedAt: number) => {
            changedAt = lookedAt
            wake()
          }
          add(key, note)
          return () => remove(key, note)
        },
      })
    },
    look() {
      if (followers.size > 0) void look()
    },
    stop: () => clearTimeout(timer),
  }
}

/** Reads the sums of all followed keys, and wakes the followers of those that changed. */
async function lookAtSums(
  readSums: WatchedSums['readSums'],
  followers: ReadonlyMap<string, ReadonlySet<(lookedAt: number) => void>>,
  sums: Map<string, string>,
): Promise<void> {
  const now = await readSums([...followers.keys()])
  const lookedAt = performance.now()
  for (const [key, wakes] of followers) {
    const sum = now.get(key) ?? ''
    const isNew = sums.get(key) !== sum
    sums.set(key, sum)
    if (isNew) for (const wake of wakes) wake(lookedAt)
  }
}
