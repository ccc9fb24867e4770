/**
 * Splits a thread's CPU time among its tasks so that the parts add up to the whole. A synchronous task is measured by
 * itself. The time between such tasks belongs to the asynchronous ones, whose turns interleave, and is claimed by the one
 * that ends next.
 */
export interface CpuMeter {
  /** Runs a synchronous task and returns its CPU time in milliseconds. */
  measure<T>(task: () => T): { value: T; cpuMs: number }
  /** Claims the CPU time in milliseconds that no task has claimed yet, for the calling asynchronous task. */
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
