import { provingConfig, type ProvingConfig } from './config.ts'
import { sharedBytesOf, CIRCUIT_KEYS } from './groth16/verification-key.ts'
import { SnarkjsSample } from './snarkjs-sample.ts'
import { createEvmLanes, type EvmLane } from './evm-lane.ts'
import { limitConcurrency, type ConcurrencyLimit } from './limit-concurrency.ts'
import { silentLogger, type ProvingLogger } from './proving-logger.ts'
import type { HashedLeaves, HashLeavesJob } from './merkle/append-leaves.ts'
import { LEAF_BYTES } from './merkle/parse-leaves.ts'
import { PoolTasks } from './pool-tasks.ts'
import {
  MAX_HASHED_LEAVES,
  MAX_LEAVES_ANSWER,
  ProvingBusyError,
  ThreadLostError,
  type DeriveJob,
  type FindOwnSignerJob,
  type ProvingPool,
  type SignFeeCommitmentJob,
} from './proving-pool.ts'
import type { CallsOutcome, SimulateCallsJob, SimulateJob, SimulateOutcome } from './simulate-job.ts'
import type { CommitmentKey } from './signing/commitment-signer.ts'
import { loadEcdsa } from './signing/ecdsa.ts'
import { createFeeCommitmentSigners, type FeeCommitmentSigners } from './signing/fee-commitment-signers.ts'
import { startThreadGroup, type ThreadGroup } from './thread-group.ts'
import { createVerifyBatcher, type RunBatch } from './verify-batcher.ts'

type Hex = `0x${string}`

/** Options of a pool; omitted numbers have the defaults of `provingConfig`. */
export interface ProvingPoolOptions {
  /** Verifying threads; one for each core unless given. */
  threads?: number
  /** Verifications, and likewise simulations, that may wait. */
  maxQueue?: number
  /** Most proofs that are verified together. */
  maxBatch?: number
  verifier?: ProvingConfig['verifier']
  /** About one proof in this many is also verified by snarkjs; 0 for none. */
  crossCheckOneIn?: number
  /** Upper bound of a simulation's own limit, in milliseconds. */
  simulateTimeoutMs?: number
  /** Keys that sign fee commitments, local or at remote signers. */
  commitmentKeys: readonly CommitmentKey[]
  logger?: ProvingLogger
}

/** Heap limits in MiB. The curve's memory is WebAssembly's and does not count. */
const VERIFY_HEAP_MB = 128
const CALL_HEAP_MB = 256
/** Verifying threads up to which there is one EVM: a second has no core of its own. */
const CORES_FOR_ONE_EVM = 2
/** Simulations that a thread runs at once. */
const SIMULATIONS_PER_THREAD = 32
/** Simulating threads of a pool of `threads` threads. */
const callersOf = (threads: number) => Math.ceil(threads / 2)
/** Concurrent simulations of a pool of `threads` threads. */
export const simulationsAtOnce = (threads: number): number => SIMULATIONS_PER_THREAD * callersOf(threads)
/** Addresses of one task. */
const MAX_DERIVATIONS = 1_000
/** Signatures of each remote signer that a thread has room for beside its simulations: a hanging signer delays no other. */
const REMOTE_SIGNATURES_PER_THREAD = 16
const CLOSE_GRACE_MS = 10_000

/**
 * True if a node's answer leaves open what happened to the watched owners. A refusal without a run may be about the reads.
 */
const leavesDoubt = (outcome: SimulateOutcome, { watch }: SimulateJob): boolean =>
  watch !== undefined && (outcome.success ? !outcome.watchedChangesComplete : outcome.gasUsed === null)

const sum = <Name extends string>(parts: readonly Record<Name, number>[], name: Name) =>
  parts.reduce((total, part) => total + part[name], 0)

/**
 * Starts and warms up the worker threads: two groups, and the threads of the EVMs.
 *
 * Verification keeps its threads busy for milliseconds on end, so it has one thread per core with one task at a time.
 * Simulations and remote signers mostly wait: they share fewer threads, with many tasks each. So a flood of proofs delays no
 * quote, and a simulation that ends its thread takes no proof with it. A local key signs in the caller's thread, because the
 * way to another takes longer than the signature. An EVM computes for up to 1.5 s on end. Each of at most two has a thread
 * of its own, which can be ended.
 *
 * @example
 * ```ts
 * const proving = await createProvingPool({ threads: 1, commitmentKeys: [privateKey] })
 * const signature = await proving.signFeeCommitment({ signer, message })
 * const found = await proving.findOwnSigner({ message, signature }) // signer, with its checksum
 * await proving.close()
 * ```
 */
export async function createProvingPool(options: ProvingPoolOptions): Promise<ProvingPool> {
  const { logger = silentLogger, commitmentKeys, ...limits } = options
  const config = provingConfig.parse(limits)
  const { maxQueue } = config
  if (!(await loadEcdsa()).native) {
    logger.warn(
      {},
      'the native secp256k1 did not load: fee commitments are signed in JavaScript, about 4 times slower',
    )
  }
  const remoteKeys = commitmentKeys.filter((key) => typeof key !== 'string')
  const remoteSigners = new Set(remoteKeys.map((key) => key.address.toLowerCase()))
  const groups = startThreads(config, remoteKeys, remoteSigners.size, logger)
  const signers = await prepareThreads(groups, commitmentKeys, logger)
  const { verifiers, callers, evms } = groups
  const tasks = new PoolTasks(maxQueue)
  const sample = new SnarkjsSample(config, tasks, logger)
  const batcher = createVerifyBatcher({
    ...config,
    runBatch: createBatchRun(tasks, verifiers),
    confirm: (circuit, proof, outcome) => sample.confirm(circuit, proof, outcome),
  })
  const signing = new Signing(tasks, callers, { signers, remoteSigners, maxQueue })
  const simulating = new Simulating(tasks, callers, evms, config)
  const bulk = new BulkWork(tasks, verifiers)
  const queues = [batcher, ...simulating.queues, ...bulk.queues, ...signing.queues]
  return {
    verify: (job) => tasks.admit(0, () => batcher.verify(job)),
    failedRecently: batcher.failedRecently,
    signFeeCommitment: (job) => signing.sign(job),
    findOwnSigner: (job) => signing.findSigner(job),
    derive: (job) => bulk.derive(job),
    readLeaves: (answer) => bulk.readLeaves(answer),
    hashLeaves: (job) => bulk.hashLeaves(job),
    simulate: (job) => simulating.simulate(job),
    simulateCalls: (job) => simulating.simulateCalls(job),
    stats: () => ({
      workers: verifiers.threads + callers.threads + evms.threads + sample.threads,
      queued: sum(queues, 'waiting'),
      running: sum(queues, 'running'),
      tasks: tasks.readTotals(),
      batches: { count: batcher.totals.batches, proofs: batcher.totals.proofs },
      crossChecks: { ...sample.totals },
    }),
    async close(graceMs = CLOSE_GRACE_MS) {
      await tasks.close(graceMs)
      await Promise.all([stopThreads(groups), sample.destroy()])
    },
  }
}

interface Threads {
  verifiers: ThreadGroup
  callers: ThreadGroup
  evms: EvmLane
}

function startThreads(
  { threads, maxBatch, verifier }: ProvingConfig,
  remoteKeys: readonly CommitmentKey[],
  remoteSigners: number,
  logger: ProvingLogger,
): Threads {
  const withoutKeys = { verifier, maxBatch, commitmentKeys: [] }
  return {
    verifiers: startThreadGroup({
      name: 'verify',
      warmUp: 'verify',
      threads,
      tasksPerThread: 1,
      heapMb: VERIFY_HEAP_MB,
      settings: { ...withoutKeys, tables: new SharedArrayBuffer(sharedBytesOf(CIRCUIT_KEYS.withdraw)) },
      logger,
    }),
    callers: startThreadGroup({
      name: 'sign and simulate',
      warmUp: 'call',
      threads: callersOf(threads),
      tasksPerThread: SIMULATIONS_PER_THREAD + REMOTE_SIGNATURES_PER_THREAD * remoteSigners,
      heapMb: CALL_HEAP_MB,
      settings: { ...withoutKeys, commitmentKeys: remoteKeys },
      logger,
    }),
    evms: createEvmLanes(threads > CORES_FOR_ONE_EVM ? 2 : 1, {
      heapMb: CALL_HEAP_MB,
      settings: withoutKeys,
      logger,
    }),
  }
}

/** Makes the threads ready, and the signers of this thread with them; ends the threads if that fails. */
async function prepareThreads(
  groups: Threads,
  commitmentKeys: readonly CommitmentKey[],
  logger: ProvingLogger,
): Promise<FeeCommitmentSigners> {
  try {
    const [signers, hasFastField] = await Promise.all([
      createFeeCommitmentSigners(commitmentKeys),
      groups.verifiers.prepare(),
      groups.callers.prepare(),
    ])
    if (!hasFastField)
      logger.warn({}, 'the faster field arithmetic does not run here: a proof takes about 3 times as long')
    return signers
  } catch (error) {
    await stopThreads(groups)
    throw error
  }
}

const stopThreads = ({ verifiers, callers, evms }: Threads) =>
  Promise.all([verifiers.destroy(), callers.destroy(), evms.destroy()])

const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))

function createBatchRun(tasks: PoolTasks, verifiers: ThreadGroup): RunBatch {
  return async (circuit, proofs) => {
    const runOne = (proof: (typeof proofs)[number], attempts: number) =>
      tasks
        .settle('verify', 1, verifiers.run('verify', { circuit, proofs: [proof] }, attempts))
        .catch((error) => [toError(error)])
    const [only] = proofs
    if (only && proofs.length === 1) return runOne(only, 2)
    try {
      const result = await verifiers.run('verify', { circuit, proofs }, 1)
      return await tasks.settle('verify', proofs.length, Promise.resolve(result))
    } catch (error) {
      if (!(error instanceof ThreadLostError) || tasks.isClosing) return proofs.map(() => toError(error))
      // the cause of the thread's end must not fail the rest of the batch
      const outcomes = await Promise.all(proofs.map((proof) => runOne(proof, 1)))
      return outcomes.flat()
    }
  }
}

/** Fee commitments: a local key signs in this thread, a remote signer is asked by the callers' threads. */
class Signing {
  readonly #tasks: PoolTasks
  readonly #callers: ThreadGroup
  readonly #signers: FeeCommitmentSigners
  readonly #remote: ReadonlyMap<string, ConcurrencyLimit>
  readonly #mostWaiting: number

  constructor(
    tasks: PoolTasks,
    callers: ThreadGroup,
    parts: { signers: FeeCommitmentSigners; remoteSigners: ReadonlySet<string>; maxQueue: number },
  ) {
    const room = REMOTE_SIGNATURES_PER_THREAD * callers.threads
    this.#tasks = tasks
    this.#callers = callers
    this.#signers = parts.signers
    this.#remote = new Map([...parts.remoteSigners].map((address) => [address, limitConcurrency(room)]))
    // a hanging signer must not let more wait than it can process at once
    this.#mostWaiting = Math.min(room, parts.maxQueue)
  }

  get queues(): readonly ConcurrencyLimit[] {
    return [...this.#remote.values()]
  }

  sign(job: SignFeeCommitmentJob): Promise<Hex> {
    const remote = this.#remote.get(job.signer.toLowerCase())
    if (!remote) return this.#tasks.signHere(() => this.#signers.sign(job))
    const sign = () => this.#tasks.settle('sign', 1, this.#callers.run('signFeeCommitment', job))
    return this.#tasks.admit(remote.waiting, () => remote.run(sign), this.#mostWaiting)
  }

  findSigner(job: FindOwnSignerJob): Promise<Hex | null> {
    return this.#tasks.signHere(() => this.#signers.findSigner(job))
  }
}

/** Derivations, and the hashing of leaves: one job of each at a time, so that proofs need not wait for many. */
class BulkWork {
  readonly #tasks: PoolTasks
  readonly #verifiers: ThreadGroup
  readonly #derivations = limitConcurrency(1)
  readonly #hashings = limitConcurrency(1)
  readonly queues = [this.#derivations, this.#hashings]

  constructor(tasks: PoolTasks, verifiers: ThreadGroup) {
    this.#tasks = tasks
    this.#verifiers = verifiers
  }

  derive(job: DeriveJob): Promise<Hex[]> {
    if (job.count < 1 || job.count > MAX_DERIVATIONS)
      return Promise.reject(new RangeError(`a job may have 1 to ${MAX_DERIVATIONS} addresses`))
    const run = () => this.#tasks.settle('derive', job.count, this.#verifiers.run('derive', job))
    return this.#tasks.admit(this.#derivations.waiting, () => this.#derivations.run(run))
  }

  readLeaves(answer: Uint8Array): Promise<Uint8Array | null> {
    if (answer.length > MAX_LEAVES_ANSWER)
      return Promise.reject(new RangeError(`an answer may have ${MAX_LEAVES_ANSWER} bytes`))
    const run = () => this.#tasks.settle('hash', 0, this.#verifiers.run('readLeaves', answer))
    return this.#tasks.admit(this.#hashings.waiting, () => this.#hashings.run(run))
  }

  hashLeaves(job: HashLeavesJob): Promise<HashedLeaves> {
    const count = job.leaves.length / LEAF_BYTES
    if (!Number.isInteger(count) || count > MAX_HASHED_LEAVES)
      return Promise.reject(new RangeError(`a job may have up to ${MAX_HASHED_LEAVES} whole leaves`))
    const run = () => this.#tasks.settle('hash', count, this.#verifiers.run('hashLeaves', job))
    return this.#tasks.admit(this.#hashings.waiting, () => this.#hashings.run(run))
  }
}

/** Simulations, by nodes and by the EVMs. */
class Simulating {
  readonly #tasks: PoolTasks
  readonly #callers: ThreadGroup
  readonly #evms: EvmLane
  readonly #config: ProvingConfig
  readonly #onNodes: ConcurrencyLimit

  constructor(tasks: PoolTasks, callers: ThreadGroup, evms: EvmLane, config: ProvingConfig) {
    this.#tasks = tasks
    this.#callers = callers
    this.#evms = evms
    this.#config = config
    this.#onNodes = limitConcurrency(SIMULATIONS_PER_THREAD * callers.threads)
  }

  get queues(): readonly { waiting: number; running: number }[] {
    return [this.#onNodes, this.#evms]
  }

  simulate(job: SimulateJob): Promise<SimulateOutcome> {
    const bounded = this.#bound(job)
    if (job.prefer === 'evm') return this.#tasks.admit(this.#evms.waiting, () => this.#inEvm(bounded))
    return this.#tasks.admit(this.#onNodes.waiting, () => this.#onNode(bounded))
  }

  simulateCalls(job: SimulateCallsJob): Promise<CallsOutcome | null> {
    const bounded = this.#bound(job)
    const run = () => this.#tasks.settle('simulate', 1, this.#callers.run('simulateCalls', bounded))
    return this.#tasks.admit(this.#onNodes.waiting, () => this.#onNodes.run(run))
  }

  #bound<Job extends { timeoutMs: number }>(job: Job): Job {
    return { ...job, timeoutMs: Math.min(job.timeoutMs, this.#config.simulateTimeoutMs) }
  }

  async #inEvm(job: SimulateJob): Promise<SimulateOutcome> {
    const ran = this.#evms.run(job)
    const outcome = await this.#tasks.settle('simulate', 1, ran)
    return job.audit && outcome.provider === 'evm' ? { ...outcome, cpuMs: (await ran).cpuMs } : outcome
  }

  async #onNode(job: SimulateJob): Promise<SimulateOutcome> {
    const outcome = await this.#onNodes.run(() =>
      this.#tasks.settle('simulate', 1, this.#callers.run('simulateOnNode', job)),
    )
    if (outcome && !leavesDoubt(outcome, job)) return outcome
    this.#tasks.discount('simulate') // not done: the nodes can only run calls, or lack the watched balances
    if (this.#evms.waiting >= this.#config.maxQueue)
      throw new ProvingBusyError('too many simulations are waiting')
    const ours = await this.#inEvm(job)
    if (ours.success || !ours.limit || job.watch) return ours
    // the EVM gave up, which says nothing of the call: use the last resort
    return this.#onNodes.run(() =>
      this.#tasks.settle('simulate', 0, this.#callers.run('simulateByCall', job)),
    )
  }
}
