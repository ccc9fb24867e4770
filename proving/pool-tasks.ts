import { setTimeout as delay } from 'node:timers/promises'
import { createCpuMeter } from './meter-cpu.ts'
import { ProvingBusyError, type ProvingStats } from './proving-pool.ts'
import { TaskError, type TaskResult } from './task-result.ts'

/** Admits the tasks of a pool up to its bounds, and counts them. */
export class PoolTasks {
  readonly #totals: ProvingStats['tasks'] = {
    verify: { done: 0, failed: 0, cpuMs: 0 },
    sign: { done: 0, failed: 0, cpuMs: 0 },
    simulate: { done: 0, failed: 0, cpuMs: 0 },
    derive: { done: 0, failed: 0, cpuMs: 0 },
    hash: { done: 0, failed: 0, cpuMs: 0 },
  }
  readonly #maxQueue: number
  readonly #inFlight = new Set<Promise<unknown>>()
  readonly #meter = createCpuMeter()
  #isClosing = false

  /** @param maxQueue Tasks that may wait, where the task has no bound of its own. */
  constructor(maxQueue: number) {
    this.#maxQueue = maxQueue
  }

  /** True once {@link PoolTasks.close} was called. */
  get isClosing(): boolean {
    return this.#isClosing
  }

  /** Returns a copy of the totals since the start. */
  readTotals(): ProvingStats['tasks'] {
    return structuredClone(this.#totals)
  }

  /**
   * Starts a task unless `room` or more of its kind wait.
   *
   * @throws ProvingBusyError if there is no room, or the pool is closing.
   */
  admit<T>(waiting: number, start: () => Promise<T>, room = this.#maxQueue): Promise<T> {
    if (this.#isClosing) return Promise.reject(new ProvingBusyError('the proving pool is closing'))
    if (waiting >= room) return Promise.reject(new ProvingBusyError('too many tasks are waiting'))
    const running = start()
    const settled = running.then(
      () => undefined,
      () => undefined,
    )
    this.#inFlight.add(settled)
    void settled.then(() => this.#inFlight.delete(settled))
    return running
  }

  /** Counts a task as `count` ones of its kind, and converts its result into a value or an error. */
  async settle<T>(kind: keyof ProvingStats['tasks'], count: number, run: Promise<TaskResult<T>>): Promise<T> {
    const total = this.#totals[kind]
    try {
      const result = await run
      total.cpuMs += result.cpuMs
      if (!result.ok) throw taskErrorOf(result)
      total.done += count
      return result.value
    } catch (error) {
      total.failed += count
      throw error
    }
  }

  /** Takes back the count of a task that {@link PoolTasks.settle} counted as done. */
  discount(kind: keyof ProvingStats['tasks']): void {
    this.#totals[kind].done -= 1
  }

  /** Signs, or recognises a signature, in the calling thread and without waiting. */
  async signHere<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#isClosing) throw new ProvingBusyError('the proving pool is closing')
    const total = this.#totals.sign
    try {
      const { value, cpuMs } = this.#meter.measure(work)
      total.cpuMs += cpuMs
      total.done += 1
      return await value
    } catch (error) {
      total.failed += 1
      throw error
    }
  }

  /** Admits no more tasks, and waits at most `graceMs` milliseconds for the running ones. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true
    const abort = new AbortController()
    await Promise.race([
      Promise.all(this.#inFlight),
      delay(graceMs, undefined, { signal: abort.signal }).catch(() => undefined),
    ])
    abort.abort()
  }
}

/** Creates the error of a failed task; its cause has the stack of the error in the thread. */
function taskErrorOf({ code, message, stack }: TaskResult<unknown> & { ok: false }): TaskError {
  return new TaskError(code, message, stack ? { cause: Object.assign(new Error(message), { stack }) } : {})
}
