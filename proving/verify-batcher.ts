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
  /** Returns the outcome that replaces the batch's. */
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
 * `verify` rejects with ProvingBusyError when `maxQueue` jobs wait, or when a client's waiting jobs are as many as the free
 * places. It also rejects with any error that `runBatch` returned for the proof.
 */
export const createVerifyBatcher = (options: VerifyBatcherOptions): VerifyBatcher => new Batcher(options)

const createLane = (batchLimit: number): Lane => ({ queue: new FairQueue(), batchLimit })

class Batcher implements VerifyBatcher {
  readonly totals = { batches: 0, proofs: 0 }
  waiting = 0
  running = 0
  readonly #options: VerifyBatcherOptions
  readonly #failedClients = new FailedClients()
  readonly #suspects = createLane(1)
  /** Half of the threads: a flood of bad proofs leaves the others, and their cores, to other clients. */
  readonly #mostSuspects: number
  readonly #circuits: Readonly<Record<Circuit, Lane>>
  /** In the order in which they are served next, so no lane starves another. */
  readonly #lanes: Lane[]
  #busyThreads = 0
  #suspectsRunning = 0

  constructor(options: VerifyBatcherOptions) {
    const { threads, maxBatch } = options
    this.#options = options
    this.#mostSuspects = Math.max(1, Math.floor(threads / 2))
    this.#circuits = { withdraw: createLane(maxBatch), commitment: createLane(maxBatch) }
    this.#lanes = [this.#circuits.withdraw, this.#circuits.commitment, this.#suspects]
  }

  readonly failedRecently = (client: string): boolean => this.#failedClients.has(client)

  async verify(job: VerifyJob): Promise<VerifyOutcome> {
    const proof = copyProof(job)
    if (typeof proof === 'string') return { valid: false, reason: proof }
    const { maxQueue } = this.#options
    const { circuit, client = ANONYMOUS } = job
    const { queue } = this.#failedClients.has(client) ? this.#suspects : this.#circuits[circuit]
    if (this.waiting >= maxQueue) throw new ProvingBusyError('too many proofs are waiting')
    // one client may have as much of the queue as is free, which leaves room for others
    if (client !== ANONYMOUS && queue.countOf(client) >= maxQueue - this.waiting)
      throw new ProvingBusyError('too many proofs of this client are waiting')
    const entry: Waiting = { circuit, proof, client, ...Promise.withResolvers<VerifyOutcome>() }
    queue.add(client, entry)
    this.waiting += 1
    this.#dispatch()
    return entry.promise
  }

  #dispatch(): void {
    while (this.#busyThreads < this.#options.threads) {
      const { lane, batch } = this.#takeBatch()
      const [first] = batch
      if (!first) return
      const isSuspect = lane === this.#suspects
      this.waiting -= batch.length
      if (isSuspect) this.#suspectsRunning += 1
      void this.#run(batch, first.circuit).finally(() => {
        if (isSuspect) this.#suspectsRunning -= 1
        this.#dispatch()
      })
    }
  }

  #takeBatch(): { lane?: Lane; batch: Waiting[] } {
    const index = this.#lanes.findIndex((lane) => this.#mayRun(lane))
    const [lane] = index < 0 ? [] : this.#lanes.splice(index, 1)
    if (!lane) return { batch: [] }
    this.#lanes.push(lane)
    // the waiting jobs are divided among the threads: the next free one finds work too
    const share = Math.ceil(lane.queue.size / this.#options.threads)
    return { lane, batch: lane.queue.take(Math.min(lane.batchLimit, share)) }
  }

  #mayRun(lane: Lane): boolean {
    return lane.queue.size > 0 && (lane !== this.#suspects || this.#suspectsRunning < this.#mostSuspects)
  }

  async #run(batch: readonly Waiting[], circuit: Circuit): Promise<void> {
    this.#busyThreads += 1
    this.running += batch.length
    const proofs = batch.map(({ proof }) => proof)
    const outcomes = await this.#options.runBatch(circuit, proofs)
    this.#busyThreads -= 1
    this.running -= batch.length
    this.totals.batches += 1
    this.totals.proofs += batch.length
    for (const [index, waiting] of batch.entries()) {
      const outcome = outcomes[index] ?? new Error('a batch returned too few outcomes')
      if (outcome instanceof Error) waiting.reject(outcome)
      else void this.#settle(waiting, outcome)
    }
  }

  async #settle({ circuit, proof, client, resolve }: Waiting, outcome: VerifyOutcome): Promise<void> {
    const confirmed = this.#options.confirm?.(circuit, proof, outcome) ?? outcome
    const { valid } = confirmed instanceof Promise ? await confirmed : confirmed
    if (!valid && client !== ANONYMOUS) this.#failedClients.add(client)
    resolve(confirmed)
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
