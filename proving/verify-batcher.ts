import type { CrossCheck } from './cross-check.ts'
import { FairQueue } from './fair-queue.ts'
import type { UncheckedProof } from './groth16/groth16-verifier.ts'
import {
  ProvingBusyError,
  type Circuit,
  type VerifyJob,
  type VerifyOutcome,
  type VerifyRefusal,
} from './proving-pool.ts'
import { LRUCache } from 'lru-cache'

/** Remembers for a minute which clients' proofs failed, the last 10,000 of them. */
export class FailedClients {
  readonly #failed = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 })

  add(client: string): void {
    this.#failed.set(client, true)
  }

  has(client: string): boolean {
    return this.#failed.has(client)
  }
}

/**
 * Verifies one batch in a worker thread. For each proof, in order, it gives the outcome or an error; it never
 * rejects.
 */
export type RunBatch = (
  circuit: Circuit,
  proofs: readonly UncheckedProof[],
) => Promise<readonly (VerifyOutcome | Error)[]>

/** Options of a batcher. */
export interface VerifyBatcherOptions {
  /** Batches that run at once: the number of verifying threads. */
  threads: number
  maxBatch: number
  /** Jobs that may wait. */
  maxQueue: number
  runBatch: RunBatch
  /** Returns the outcome to be used in place of a batch's. */
  confirm?: CrossCheck['confirm']
}

/** Sends a lone job to a free thread at once, and batches jobs that arrive while all are busy. */
export interface VerifyBatcher {
  verify(job: VerifyJob): Promise<VerifyOutcome>
  /** True if a proof of this client failed within the last minute. */
  failedRecently(client: string): boolean
  readonly waiting: number
  readonly running: number
  readonly totals: { batches: number; proofs: number }
}

interface Waiting extends PromiseWithResolvers<VerifyOutcome> {
  circuit: Circuit
  proof: UncheckedProof
  client: string
}

/**
 * Jobs that may share a batch. Jobs of clients whose proofs failed recently wait apart and are verified alone.
 */
interface Lane {
  queue: FairQueue<Waiting>
  batchLimit: number
}

/** All jobs without a client count as one client's. */
const ANONYMOUS = ''

/**
 * Creates the queues in front of the verifying threads. A client whose proof failed within the last minute waits in a queue
 * of its own. Its proofs are verified one by one on at most half of the threads.
 *
 * `verify` rejects with ProvingBusyError when `maxQueue` jobs wait, or when one client has as many waiting as there is room
 * left. It also rejects with any error that `runBatch` returned for the proof.
 */
export function createVerifyBatcher(options: VerifyBatcherOptions): VerifyBatcher {
  const { threads, maxBatch, maxQueue, runBatch, confirm = (_circuit, _proof, outcome) => outcome } = options
  const failedClients = new FailedClients()
  const createLane = (batchLimit: number): Lane => ({ queue: new FairQueue(), batchLimit })
  const suspects = createLane(1)
  /** Half of the threads: a flood of bad proofs leaves the others, and their cores, to other clients. */
  const mostSuspects = Math.max(1, Math.floor(threads / 2))
  const circuits: Record<Circuit, Lane> = { withdraw: createLane(maxBatch), commitment: createLane(maxBatch) }
  /** In the order in which they are served next, so no lane starves another. */
  const lanes = [circuits.withdraw, circuits.commitment, suspects]
  const totals = { batches: 0, proofs: 0 }
  let waiting = 0
  let busyThreads = 0
  let running = 0
  let suspectsRunning = 0

  const mayRun = (lane: Lane) => lane.queue.size > 0 && (lane !== suspects || suspectsRunning < mostSuspects)

  function takeBatch(): { lane?: Lane; batch: Waiting[] } {
    const index = lanes.findIndex(mayRun)
    const [lane] = index < 0 ? [] : lanes.splice(index, 1)
    if (!lane) return { batch: [] }
    lanes.push(lane)
    // the waiting jobs are divided among the threads: the next free one finds work too
    return { lane, batch: lane.queue.take(Math.min(lane.batchLimit, Math.ceil(lane.queue.size / threads))) }
  }

  async function run(batch: readonly Waiting[], circuit: Circuit): Promise<void> {
    busyThreads += 1
    running += batch.length
    const proofs = batch.map(({ proof }) => proof)
    const outcomes = await runBatch(circuit, proofs)
    busyThreads -= 1
    running -= batch.length
    totals.batches += 1
    totals.proofs += batch.length
    for (const [index, waiting] of batch.entries()) {
      const outcome = outcomes[index] ?? new Error('a batch came back with too few outcomes')
      if (outcome instanceof Error) waiting.reject(outcome)
      else void settle(waiting, outcome)
    }
  }

  async function settle({ circuit, proof, client, resolve }: Waiting, outcome: VerifyOutcome) {
    const confirmed = confirm(circuit, proof, outcome)
    const { valid } = confirmed instanceof Promise ? await confirmed : confirmed
    if (!valid && client !== ANONYMOUS) failedClients.add(client)
    resolve(confirmed)
  }

  function dispatch(): void {
    while (busyThreads < threads) {
      const { lane, batch } = takeBatch()
      const [first] = batch
      if (!first) return
      waiting -= batch.length
      if (lane === suspects) suspectsRunning += 1
      void run(batch, first.circuit).finally(() => {
        if (lane === suspects) suspectsRunning -= 1
        dispatch()
      })
    }
  }

  return {
    async verify(job) {
      const proof = copyProof(job)
      if (typeof proof === 'string') return { valid: false, reason: proof }
      const { circuit, client = ANONYMOUS } = job
      const { queue } = failedClients.has(client) ? suspects : circuits[circuit]
      if (waiting >= maxQueue) throw new ProvingBusyError('too many proofs are waiting')
      // one client may have as much of the queue as is free, which leaves room for others
      if (client !== ANONYMOUS && queue.countOf(client) >= maxQueue - waiting) {
        throw new ProvingBusyError('too many proofs of this client are waiting')
      }
      const entry: Waiting = { circuit, proof, client, ...Promise.withResolvers<VerifyOutcome>() }
      queue.add(client, entry)
      waiting += 1
      dispatch()
      return entry.promise
    },
    failedRecently: (client) => failedClients.has(client),
    get waiting() {
      return waiting
    },
    get running() {
      return running
    },
    totals,
  }
}

/** No coordinate, signal or label is longer in its canonical form: q and r have 77 decimal digits. */
const MAX_TEXT = 77
const MAX_SIGNALS = 32

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT
}

function isTextList(value: unknown, length: number): value is readonly string[] {
  return Array.isArray(value) && value.length === length && value.every(isText)
}

/**
 * Copies the members of a proof and nothing else, or returns why it cannot be one. Messages to a thread thus have a bounded
 * size, whatever the client sent. A thread that runs out of memory while it receives a message ends the whole process. The
 * verifier still checks everything.
 */
function copyProof({ proof, publicSignals }: VerifyJob): UncheckedProof | VerifyRefusal {
  if (!Array.isArray(publicSignals) || publicSignals.length > MAX_SIGNALS) return 'signals'
  if (!publicSignals.every(isText)) return 'signals'
  if (typeof proof !== 'object' || (proof as unknown) === null) return 'encoding'
  const { pi_a, pi_b, pi_c, protocol, curve } = proof
  const isProof =
    isText(protocol) &&
    isText(curve) &&
    isTextList(pi_a, 3) &&
    isTextList(pi_c, 3) &&
    Array.isArray(pi_b) &&
    pi_b.length === 3 &&
    pi_b.every((pair) => isTextList(pair, 2))
  if (!isProof) return 'encoding'
  return {
    proof: { pi_a: [...pi_a], pi_b: pi_b.map((pair) => [...pair]), pi_c: [...pi_c], protocol, curve },
    publicSignals: [...publicSignals],
  }
}
