/**
 * Splits a thread's CPU time among its tasks so that the parts add up to the whole. A synchronous task is measured by
 * itself; what passes between such tasks belongs to the asynchronous ones, whose turns interleave, and goes to the one
 * that ends next.
 */
export interface CpuMeter {
  /** Runs a synchronous task and gives its CPU time in milliseconds. */
  measure<T>(task: () => T): { value: T; cpuMs: number }
  /** The CPU time in milliseconds that no task has claimed yet, claimed by the asynchronous task that calls. */
  claim(): number
}

/** Creates the meter of the calling thread; it counts from this call on. */
export function createCpuMeter(): CpuMeter {
  let read = process.threadCpuUsage()
  let unclaimed = 0

  function sinceLastRead(): number {
    const now = process.threadCpuUsage()
    const elapsed = (now.user + now.system - read.user - read.system) / 1_000
    read = now
    return elapsed
  }

  return {
    measure(task) {
      unclaimed += sinceLastRead()
      const value = task()
      return { value, cpuMs: sinceLastRead() }
    },
    claim() {
      const claimed = unclaimed + sinceLastRead()
      unclaimed = 0
      return claimed
    },
  }
}
