import { setTimeout as delay } from 'node:timers/promises'
import { provingConfig } from './config.ts'
import { CIRCUIT_KEYS } from './groth16/circuit-keys.ts'
import { sharedBytesOf } from './groth16/verification-key.ts'
import { createEvmLanes } from './evm-lane.ts'
import { limitConcurrency } from './limit-concurrency.ts'
import { createCpuMeter } from './meter-cpu.ts'
import { silentLogger, type ProvingLogger } from './proving-logger.ts'
import { LEAF_BYTES } from './merkle/parse-leaves.ts'
import {
  MAX_HASHED_LEAVES,
  MAX_LEAVES_ANSWER,
  ProvingBusyError,
  ThreadLostError,
  type ProvingPool,
  type ProvingStats,
} from './proving-pool.ts'
import type { SimulateJob, SimulateOutcome } from './simulate-job.ts'
import type { CommitmentKey } from './signing/commitment-signer.ts'
import { loadEcdsa } from './signing/ecdsa.ts'
import { createFeeCommitmentSigners, type FeeCommitmentSigners } from './signing/fee-commitment-signers.ts'
import { TaskError, type TaskResult } from './task-result.ts'
import { startThreadGroup } from './thread-group.ts'
import { createVerifyBatcher, type RunBatch } from './verify-batcher.ts'

/** Options of a pool; omitted numbers have the defaults of `provingConfig`. */
export interface ProvingPoolOptions {
  /** Verifying threads; one for each core unless given. */
  threads?: number
  /** Verifications, and likewise simulations, that may wait. */
  maxQueue?: number
  /** Most proofs that are verified together. */
  maxBatch?: number
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

/** Creates the error of a failed task; its cause has the stack of the error in the thread. */
function taskErrorOf({ code, message, stack }: TaskResult<unknown> & { ok: false }): TaskError {
  return new TaskError(code, message, stack ? { cause: Object.assign(new Error(message), { stack }) } : {})
}

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
  const { threads, maxQueue, maxBatch, simulateTimeoutMs } = provingConfig.parse(limits)
  if (!(await loadEcdsa()).native) {
    logger.warn(
      {},
      'the native secp256k1 did not load: fee commitments are signed in JavaScript, about 4 times slower',
    )
  }
  const verifiers = startThreadGroup({
    name: 'verify',
    warmUp: 'verify',
    threads,
    tasksPerThread: 1,
    heapMb: VERIFY_HEAP_MB,
    settings: {
      maxBatch,
      commitmentKeys: [],
      tables: new SharedArrayBuffer(sharedBytesOf(CIRCUIT_KEYS.withdraw)),
    },
    logger,
  })
  const remoteKeys = commitmentKeys.filter((key) => typeof key !== 'string')
  const remoteSigners = new Set(remoteKeys.map((key) => key.address.toLowerCase()))
  const settings = { maxBatch, commitmentKeys: remoteKeys }
  const callers = startThreadGroup({
    name: 'sign and simulate',
    warmUp: 'call',
    threads: callersOf(threads),
    tasksPerThread: SIMULATIONS_PER_THREAD + REMOTE_SIGNATURES_PER_THREAD * remoteSigners.size,
    heapMb: CALL_HEAP_MB,
    settings,
    logger,
  })
  const evms = createEvmLanes(threads > CORES_FOR_ONE_EVM ? 2 : 1, {
    heapMb: CALL_HEAP_MB,
    settings: { maxBatch, commitmentKeys: [] },
    logger,
  })
  const stopThreads = () => Promise.all([verifiers.destroy(), callers.destroy(), evms.destroy()])
  let signers: FeeCommitmentSigners
  try {
    ;[signers] = await Promise.all([
      createFeeCommitmentSigners(commitmentKeys),
      verifiers.prepare(),
      callers.prepare(),
    ])
  } catch (error) {
    await stopThreads()
    throw error
  }

  const tasks: ProvingStats['tasks'] = {
    verify: { done: 0, failed: 0, cpuMs: 0 },
    sign: { done: 0, failed: 0, cpuMs: 0 },
    simulate: { done: 0, failed: 0, cpuMs: 0 },
    derive: { done: 0, failed: 0, cpuMs: 0 },
    hash: { done: 0, failed: 0, cpuMs: 0 },
  }
  const inFlight = new Set<Promise<unknown>>()
  const meter = createCpuMeter()
  let closing = false

  /** Counts a task and converts its result into a value or an error. */
  async function settle<T>(
    kind: keyof ProvingStats['tasks'],
    count: number,
    run: Promise<TaskResult<T>>,
  ): Promise<T> {
    const total = tasks[kind]
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

  function admit<T>(waiting: number, start: () => Promise<T>, room = maxQueue): Promise<T> {
    if (closing) return Promise.reject(new ProvingBusyError('the proving pool is closing'))
    if (waiting >= room) return Promise.reject(new ProvingBusyError('too many tasks are waiting'))
    const running = start()
    const settled = running.then(
      () => undefined,
      () => undefined,
    )
    inFlight.add(settled)
    void settled.then(() => inFlight.delete(settled))
    return running
  }

  /** Signs, or recognises a signature, without waiting. */
  async function here<T>(work: () => T | Promise<T>): Promise<T> {
    if (closing) throw new ProvingBusyError('the proving pool is closing')
    try {
      const { value, cpuMs } = meter.measure(work)
      tasks.sign.cpuMs += cpuMs
      tasks.sign.done += 1
      return await value
    } catch (error) {
      tasks.sign.failed += 1
      throw error
    }
  }

  const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))
  const runBatch: RunBatch = async (circuit, proofs) => {
    const runOne = (proof: (typeof proofs)[number], attempts: number) =>
      settle('verify', 1, verifiers.run('verify', { circuit, proofs: [proof] }, attempts)).catch((error) => [
        toError(error),
      ])
    const [only] = proofs
    if (only && proofs.length === 1) return runOne(only, 2)
    try {
      const result = await verifiers.run('verify', { circuit, proofs }, 1)
      return await settle('verify', proofs.length, Promise.resolve(result))
    } catch (error) {
      if (!(error instanceof ThreadLostError) || closing) return proofs.map(() => toError(error))
      // the cause of the thread's end must not fail the rest of the batch
      const outcomes = await Promise.all(proofs.map((proof) => runOne(proof, 1)))
      return outcomes.flat()
    }
  }
  const batcher = createVerifyBatcher({ threads, maxBatch, maxQueue, runBatch })
  const simulations = limitConcurrency(SIMULATIONS_PER_THREAD * callers.threads)
  const remoteRoom = REMOTE_SIGNATURES_PER_THREAD * callers.threads
  const remoteSignatures = new Map(
    [...remoteSigners].map((address) => [address, limitConcurrency(remoteRoom)]),
  )
  const derivations = limitConcurrency(1)
  const hashings = limitConcurrency(1)
  const queues = () => [batcher, simulations, derivations, hashings, evms, ...remoteSignatures.values()]

  async function simulateInEvm(job: SimulateJob): Promise<SimulateOutcome> {
    const ran = evms.run(job)
    const outcome = await settle('simulate', 1, ran)
    return job.audit && outcome.provider === 'evm' ? { ...outcome, cpuMs: (await ran).cpuMs } : outcome
  }

  async function simulateOnNode(job: SimulateJob): Promise<SimulateOutcome> {
    const outcome = await simulations.run(() => settle('simulate', 1, callers.run('simulateOnNode', job)))
    if (outcome && !leavesDoubt(outcome, job)) return outcome
    tasks.simulate.done -= 1 // not done: the nodes can only run calls, or lack the watched balances
    if (evms.waiting >= maxQueue) throw new ProvingBusyError('too many simulations are waiting')
    const ours = await simulateInEvm(job)
    if (ours.success || !ours.limit || job.watch) return ours
    // the EVM gave up, which says nothing of the call: use the last resort
    return simulations.run(() => settle('simulate', 0, callers.run('simulateByCall', job)))
  }

  return {
    verify: (job) => admit(0, () => batcher.verify(job)),
    failedRecently: batcher.failedRecently,
    signFeeCommitment(job) {
      const remote = remoteSignatures.get(job.signer.toLowerCase())
      if (!remote) return here(() => signers.sign(job))
      const sign = () => settle('sign', 1, callers.run('signFeeCommitment', job))
      // a hanging signer must not let more wait than it can process at once
      return admit(remote.waiting, () => remote.run(sign), Math.min(remoteRoom, maxQueue))
    },
    findOwnSigner: (job) => here(() => signers.findSigner(job)),
    derive(job) {
      if (job.count < 1 || job.count > MAX_DERIVATIONS)
        return Promise.reject(new RangeError(`a job may have 1 to ${MAX_DERIVATIONS} addresses`))
      const run = () => settle('derive', job.count, verifiers.run('derive', job))
      return admit(derivations.waiting, () => derivations.run(run))
    },
    readLeaves(answer) {
      if (answer.length > MAX_LEAVES_ANSWER)
        return Promise.reject(new RangeError(`an answer may have ${MAX_LEAVES_ANSWER} bytes`))
      const run = () => settle('hash', 0, verifiers.run('readLeaves', answer))
      return admit(hashings.waiting, () => hashings.run(run))
    },
    hashLeaves(job) {
      const count = job.leaves.length / LEAF_BYTES
      if (!Number.isInteger(count) || count > MAX_HASHED_LEAVES)
        return Promise.reject(new RangeError(`a job may have up to ${MAX_HASHED_LEAVES} whole leaves`))
      const run = () => settle('hash', count, verifiers.run('hashLeaves', job))
      return admit(hashings.waiting, () => hashings.run(run))
    },
    simulate(job) {
      const bounded = { ...job, timeoutMs: Math.min(job.timeoutMs, simulateTimeoutMs) }
      if (job.prefer === 'evm') return admit(evms.waiting, () => simulateInEvm(bounded))
      return admit(simulations.waiting, () => simulateOnNode(bounded))
    },
    simulateCalls(job) {
      const bounded = { ...job, timeoutMs: Math.min(job.timeoutMs, simulateTimeoutMs) }
      const run = () => settle('simulate', 1, callers.run('simulateCalls', bounded))
      return admit(simulations.waiting, () => simulations.run(run))
    },
    stats: () => ({
      workers: verifiers.threads + callers.threads + evms.threads,
      queued: sum(queues(), 'waiting'),
      running: sum(queues(), 'running'),
      tasks: structuredClone(tasks),
      batches: { count: batcher.totals.batches, proofs: batcher.totals.proofs },
    }),
    async close(graceMs = CLOSE_GRACE_MS) {
      closing = true
      const abort = new AbortController()
      await Promise.race([
        Promise.all(inFlight),
        delay(graceMs, undefined, { signal: abort.signal }).catch(() => undefined),
      ])
      abort.abort()
      await stopThreads()
    },
  }
}
