/** Runs a bounded number of asynchronous tasks concurrently; the others wait in order of arrival. */
export interface ConcurrencyLimit {
  run<T>(task: () => Promise<T>): Promise<T>
  readonly waiting: number
  readonly running: number
}

/** Creates a limit of `limit` concurrent tasks. A rejected task frees its place like any other. */
export function limitConcurrency(limit: number): ConcurrencyLimit {
  const queue: (() => void)[] = []
  let running = 0

  return {
    async run(task) {
      if (running < limit) running += 1
      else await new Promise<void>((resolve) => queue.push(resolve))
      try {
        return await task()
      } finally {
        const next = queue.shift()
        if (next) next() // passes this task's place on
        else running -= 1
      }
    },
    get waiting() {
      return queue.length
    },
    get running() {
      return running
    },
  }
}
