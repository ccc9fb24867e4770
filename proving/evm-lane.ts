import { limitConcurrency } from './limit-concurrency.ts'
import type { ProvingLogger } from './proving-logger.ts'
import { ThreadLostError } from './proving-pool.ts'
import type { SimulateJob, SimulateOutcome } from './simulate-job.ts'
import type { TaskResult } from './task-result.ts'
import { startThreadGroup, ThreadStuckError, type ThreadGroup } from './thread-group.ts'
import type { WorkerSettings } from './worker-settings.ts'

/** Simulations in an EVM compute more than they wait. */
const EVMS_PER_THREAD = 4
/** A simulation ends itself at its limit. One that is this many milliseconds later is stuck and never checks the clock. */
const STUCK_AFTER_MS = 2_000

const STUCK: SimulateOutcome = {
  success: false,
  provider: 'evm',
  gasUsed: null,
  revert: { name: null, text: 'the simulation was given up: its thread no longer answered' },
  limit: 'time',
}

/** Simulations in an EVM on one thread, which starts with the first call and is ended when it is stuck. */
export interface EvmLane {
  run(job: SimulateJob): Promise<TaskResult<SimulateOutcome>>
  readonly waiting: number
  readonly running: number
  readonly threads: number
  destroy(): Promise<void>
}

/**
 * Creates the lane without a thread; the first simulation starts it. `heapMb` limits the thread's JavaScript heap
 * in MiB.
 *
 * A simulation whose thread dies is retried once, one such simulation at a time. If the thread gets stuck again, the outcome
 * is a failure with `limit: 'time'`; if it dies again, `run` rejects with ThreadLostError.
 */
export function createEvmLane(options: {
  heapMb: number
  settings: WorkerSettings
  logger: ProvingLogger
}): EvmLane {
  const places = limitConcurrency(EVMS_PER_THREAD)
  const secondAttempts = limitConcurrency(1)
  let group: ThreadGroup | undefined
  const open = () =>
    (group ??= startThreadGroup({
      name: 'simulate in an EVM',
      warmUp: 'evm',
      threads: 1,
      tasksPerThread: EVMS_PER_THREAD,
      ...options,
    }))
  const attempt = (job: SimulateJob) => open().runWithin('simulateInEvm', job, job.timeoutMs + STUCK_AFTER_MS)

  async function attemptTwice(job: SimulateJob): Promise<TaskResult<SimulateOutcome>> {
    try {
      return await attempt(job)
    } catch (error) {
      if (!(error instanceof ThreadLostError)) throw error
    }
    try {
      // one of the simulations that shared the thread ended it: running them one at a time shows which
      return await secondAttempts.run(() => attempt(job))
    } catch (error) {
      if (error instanceof ThreadStuckError) return { ok: true, value: STUCK, cpuMs: 0 }
      throw error
    }
  }

  return {
    run: (job) => places.run(() => attemptTwice(job)),
    get waiting() {
      return places.waiting
    },
    get running() {
      return places.running
    },
    get threads() {
      return group?.threads ?? 0
    },
    async destroy() {
      await group?.destroy()
    },
  }
}

/** Joins several lanes: a simulation goes to the least loaded, so that a looping one delays only those beside it. */
export function createEvmLanes(count: number, options: Parameters<typeof createEvmLane>[0]): EvmLane {
  const lanes = Array.from({ length: count }, () => createEvmLane(options))
  const loadOf = ({ running, waiting }: EvmLane) => running + waiting
  const sum = (name: 'waiting' | 'running' | 'threads') =>
    lanes.reduce((total, lane) => total + lane[name], 0)
  return {
    run: (job) =>
      lanes.reduce((emptiest, lane) => (loadOf(lane) < loadOf(emptiest) ? lane : emptiest)).run(job),
    get waiting() {
      return sum('waiting')
    },
    get running() {
      return sum('running')
    },
    get threads() {
      return sum('threads')
    },
    destroy: async () => void (await Promise.all(lanes.map((lane) => lane.destroy()))),
  }
}
