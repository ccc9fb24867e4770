import { Piscina } from 'piscina'
import { EMPTY_PROGRAM } from './groth16/snarkjs-verifier.ts'
import type { ProvingLogger } from './proving-logger.ts'
import { ThreadLostError } from './proving-pool.ts'
import type { TaskResult } from './task-result.ts'
import type * as worker from './worker.ts'
import type { WorkerSettings } from './worker-settings.ts'

/** Keeps a fault that ends every thread at once from becoming a busy loop. */
const REVIVE_AFTER_MS = 100

/** Thrown when a thread was ended because it no longer answered. */
export class ThreadStuckError extends ThreadLostError {
  override name = 'ThreadStuckError'
}

type Tasks = typeof worker
/** The exports of worker.ts that are tasks: those that return a TaskResult. */
export type TaskName = {
  [Name in keyof Tasks]: ReturnType<Tasks[Name]> extends Promise<TaskResult<unknown>> ? Name : never
}[keyof Tasks]

/** Worker threads of one kind of load. A thread that dies is replaced. */
export interface ThreadGroup {
  /** Runs a task; a task whose thread dies is retried, `attempts` times in all. */
  run<Name extends TaskName>(
    name: Name,
    input: Parameters<Tasks[Name]>[0],
    attempts?: number,
  ): ReturnType<Tasks[Name]>
  /**
   * Runs a task once, in a group of one thread. After `limitMs` the thread counts as stuck and is ended, with all its tasks.
   * The time begins when the thread is ready. Throws ThreadStuckError, ThreadLostError for the rest.
   */
  runWithin<Name extends TaskName>(
    name: Name,
    input: Parameters<Tasks[Name]>[0],
    limitMs: number,
  ): ReturnType<Tasks[Name]>
  /** Makes every thread ready for its tasks. Returns false if one of them verifies without the faster field. */
  prepare(): Promise<boolean>
  readonly threads: number
  /** Ends the threads at once. */
  destroy(): Promise<void>
}

/**
 * Starts the threads of one group. Await `prepare()` before measuring or serving: until then the first task of each
 * thread loads its modules. The owner must call `destroy()`.
 */
export function startThreadGroup(options: {
  name: string
  /** The kind of work that a thread is warmed up for. */
  warmUp: Parameters<Tasks['prepare']>[0]
  threads: number
  /** Tasks that a thread may run at once; more than one where tasks wait for the network. */
  tasksPerThread: number
  /** Limit of a thread's JavaScript heap in MiB; a thread that needs more is ended and replaced. */
  heapMb: number
  settings: WorkerSettings
  logger: ProvingLogger
}): ThreadGroup {
  const { name: group, warmUp, threads, tasksPerThread, heapMb, settings, logger } = options
  const piscina = new Piscina({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: tasksPerThread,
    // a thread that slept in Atomics.wait would not see its idle connections being closed
    atomics: 'disabled',
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    workerData: settings.verifier === 'snarkjs' ? { ...settings, ...EMPTY_PROGRAM } : settings,
  })
  let destroyed = false
  let ready: Promise<unknown> | undefined
  // Piscina replaces a thread that died before it was ready only when a task comes; this also warms it up
  piscina.on('workerDestroy', () => {
    ready = undefined
    if (destroyed) return
    setTimeout(() => {
      if (!destroyed) piscina.run(warmUp, { name: 'prepare' }).catch(() => undefined)
    }, REVIVE_AFTER_MS).unref()
  })
  piscina.on('error', (error) => logger.warn({ error, group }, 'an idle worker thread died; it is replaced'))

  /** Tasks catch their own errors, so a rejection means that the thread is gone. */
  async function attempt(name: TaskName, input: unknown, attempts: number): Promise<unknown> {
    if (destroyed) throw new ThreadLostError('the worker threads were stopped')
    try {
      return await piscina.run(input, { name })
    } catch (error) {
      if (destroyed) throw new ThreadLostError('the worker threads were stopped', { cause: error })
      logger.warn({ error, group, task: name }, 'a worker thread died over a task; it is replaced')
      if (attempts <= 1) throw new ThreadLostError(`a worker thread died over ${name}`, { cause: error })
      return attempt(name, input, attempts - 1)
    }
  }

  async function attemptWithin(name: TaskName, input: unknown, limitMs: number): Promise<unknown> {
    let isStuck = false
    const end = () => {
      isStuck = true
      logger.warn({ group, task: name, limitMs }, 'a worker thread is stuck; it is ended')
      for (const thread of piscina.threads) void thread.terminate()
    }
    let timer: NodeJS.Timeout | undefined
    try {
      await (ready ??= piscina.run(warmUp, { name: 'prepare' }))
      timer = setTimeout(end, limitMs)
      return await attempt(name, input, 1)
    } catch (cause) {
      if (isStuck) throw new ThreadStuckError(`${name} kept its thread busy for ${limitMs} ms`, { cause })
      throw cause instanceof ThreadLostError ? cause : new ThreadLostError('a worker thread died', { cause })
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    threads,
    run: ((name, input, attempts = 2) => attempt(name, input, attempts)) as ThreadGroup['run'],
    runWithin: attemptWithin as ThreadGroup['runWithin'],
    async prepare() {
      const ready = Array.from({ length: threads }, () => piscina.run(warmUp, { name: 'prepare' }))
      return (await Promise.all(ready)).every((hasFastField) => hasFastField === true)
    },
    async destroy() {
      destroyed = true
      await piscina.destroy()
    },
  }
}
