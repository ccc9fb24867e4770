/** What is watched. */
export interface WatchedSums {
  /** What each of the keys comes to, as a text that changes when that does; a key that is absent comes to nothing. */
  readSums(keys: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** How often it is looked while somebody follows. Milliseconds. */
  everyMs: number
  /** Is told of a look that failed; the next one follows as usual. */
  onFailure(error: unknown): void
}

/** Wakes those who follow a key whenever what it comes to is new. */
export interface SumWatch {
  /**
   * Yields after the first look and after each that found the sum changed, until the signal is aborted. Changes that
   * come faster than they are consumed are merged. Whoever read before it began has missed nothing. The value is the time of the
   * look, by `performance.now()`, and the same for all followers of the key.
   */
  follow(key: string, signal: AbortSignal): AsyncGenerator<number>
  stop(): void
}

/**
 * Looks at the keys that are followed, all by one read. Whoever changed something, in whichever instance of the service,
 * needs to tell nobody.
 */
export function createSumWatch({ readSums, everyMs, onFailure }: WatchedSums): SumWatch {
  const followers = new Map<string, Set<(lookedAt: number) => void>>()
  const sums = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const now = await readSums([...followers.keys()])
    const lookedAt = performance.now()
    for (const [key, wakes] of followers) {
      const sum = now.get(key) ?? ''
      const isNew = sums.get(key) !== sum
      sums.set(key, sum)
      if (isNew) for (const wake of wakes) wake(lookedAt)
    }
  }

  function schedule(): void {
    timer = setTimeout(() => {
      void look()
        .catch(onFailure)
        .finally(() => (followers.size > 0 ? schedule() : (timer = undefined)))
    }, everyMs)
    timer.unref()
  }

  function add(key: string, wake: (lookedAt: number) => void): void {
    followers.set(key, (followers.get(key) ?? new Set()).add(wake))
    // Whoever is new is woken by the next look, and so misses nothing of the time before it.
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
    async *follow(key, signal) {
      let changedAt: number | null = null
      let proceed = () => {}
      const wake = (lookedAt: number) => {
        changedAt = lookedAt
        proceed()
      }
      add(key, wake)
      const onAbort = () => proceed()
      signal.addEventListener('abort', onAbort)
      try {
        while (!signal.aborted) {
          if (changedAt !== null) {
            const lookedAt = changedAt
            changedAt = null
            yield lookedAt
            continue
          }
          await new Promise<void>((resolve) => {
            proceed = resolve
            if (changedAt !== null || signal.aborted) resolve()
          })
        }
      } finally {
        signal.removeEventListener('abort', onAbort)
        remove(key, wake)
      }
    },
    stop: () => clearTimeout(timer),
  }
}
