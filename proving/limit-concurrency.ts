import pLimit from 'p-limit'

/** Runs a bounded number of asynchronous tasks concurrently; the others wait in order of arrival. */
export interface ConcurrencyLimit {
  run<T>(task: () => Promise<T>): Promise<T>
  readonly waiting: number
  readonly running: number
}

/** Creates a limit of `most` concurrent tasks. */
export function limitConcurrency(most: number): ConcurrencyLimit {
  const limit = pLimit(most)
  return {
    run: (task) => limit(task),
    get waiting() {
      return limit.pendingCount
    },
    get running() {
      return limit.activeCount
    },
  }
}
