import { FailedClients } from './failed-clients.ts'
import { FairQueue } from './fair-queue.ts'
import { ProvingBusyError, type Circuit, type VerifyJob, type VerifyOutcome } from './proving-pool.ts'

/** Verifies one batch of one circuit in a worker thread: an outcome for each job, in order. */
export type RunBatch = (circuit: Circuit, jobs: readonly VerifyJob[]) => Promise<readonly VerifyOutcome[]>

export interface VerifyBatcherOptions {
  /** Batches that run at once: the number of verifying threads. */
  threads: number
  maxBatch: number
  /** Jobs that may wait. */
  maxQueue: number
  runBatch: RunBatch
}

/** Sends a lone job to a free thread at once, and what arrives while all are busy together. */
export interface VerifyBatcher {
  verify(job: VerifyJob): Promise<VerifyOutcome>
  readonly waiting: number
  readonly running: number
  readonly totals: { batches: number; proofs: number }
}

interface Waiting extends PromiseWithResolvers<VerifyOutcome> {
  job: VerifyJob
}

/** Jobs that may share a batch. Those of clients whose proofs failed lately wait apart and go alone. */
interface Lane {
  queue: FairQueue<Waiting>
  batchLimit: number
}

/** All jobs without a client count as one client's. */
const ANONYMOUS = ''

export function createVerifyBatcher(options: VerifyBatcherOptions): VerifyBatcher {
  const { threads, maxBatch, maxQueue, runBatch } = options
  const failedClients = new FailedClients()
  const createLane = (batchLimit: number): Lane => ({ queue: new FairQueue(), batchLimit })
  const suspects = createLane(1)
  const circuits: Record<Circuit, Lane> = { withdraw: createLane(maxBatch), commitment: createLane(maxBatch) }
  /** In the order in which they are served next, so that no lane starves another. */
  const lanes = [circuits.withdraw, circuits.commitment, suspects]
  const totals = { batches: 0, proofs: 0 }
  let waiting = 0
  let busyThreads = 0
  let running = 0

  function takeBatch(): Waiting[] {
    const index = lanes.findIndex((lane) => lane.queue.size > 0)
    const [lane] = index < 0 ? [] : lanes.splice(index, 1)
    if (!lane) return []
    lanes.push(lane)
    // what waits is shared out among the threads: the next one to be free finds work too
    return lane.queue.take(Math.min(lane.batchLimit, Math.ceil(lane.queue.size / threads)))
  }

  async function run(batch: readonly Waiting[], circuit: Circuit): Promise<void> {
    busyThreads += 1
    running += batch.length
    try {
      const outcomes = await runBatch(
        circuit,
        batch.map(({ job }) => job),
      )
      totals.batches += 1
      totals.proofs += batch.length
      for (const [index, { job, resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index]
        if (!outcome) reject(new Error('a worker gave fewer outcomes than it was given proofs'))
        else resolve(outcome)
        if (outcome?.valid === false && job.client) failedClients.add(job.client)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      busyThreads -= 1
      running -= batch.length
      dispatch()
    }
  }

  function dispatch(): void {
    while (busyThreads < threads) {
      const batch = takeBatch()
      const [first] = batch
      if (!first) return
      waiting -= batch.length
      void run(batch, first.job.circuit)
    }
  }

  return {
    async verify(job) {
      const client = job.client ?? ANONYMOUS
      const { queue } = failedClients.has(client) ? suspects : circuits[job.circuit]
      if (waiting >= maxQueue) throw new ProvingBusyError('too many proofs are waiting')
      // one client may fill half the queue, so that there is room for others
      if (client !== ANONYMOUS && queue.countOf(client) >= Math.ceil(maxQueue / 2)) {
        throw new ProvingBusyError('too many proofs of this client are waiting')
      }
      const entry: Waiting = { job, ...Promise.withResolvers<VerifyOutcome>() }
      queue.add(client, entry)
      waiting += 1
      dispatch()
      return entry.promise
    },
    get waiting() {
      return waiting
    },
    get running() {
      return running
    },
    totals,
  }
}
