/**
 * Entry of the worker threads: one exported function per kind of task. The first task that needs a module loads it, so that
 * a verifying thread never loads the simulators.
 */
import { workerData } from 'node:worker_threads'
import { createCpuMeter } from './meter-cpu.ts'
import type { StealthCurve } from './derivation/stealth-curve.ts'
import type { Groth16Verifier, ProofVerifier, UncheckedProof } from './groth16/groth16-verifier.ts'
import type { Circuit, DeriveJob, SignFeeCommitmentJob, VerifyOutcome } from './proving-pool.ts'
import type { CallsOutcome, SimulateCallsJob, SimulateJob, SimulateOutcome } from './simulate-job.ts'
import type { HashedLeaves, HashLeavesJob } from './merkle/append-leaves.ts'
import type { FeeCommitmentSigners } from './signing/fee-commitment-signers.ts'
import type { CallsSimulator } from './simulation/simulate-calls.ts'
import type { CallSimulator, NodeSimulator } from './simulation/simulate-call.ts'
import { TaskError, type TaskResult } from './task-result.ts'
import type { WorkerSettings } from './worker-settings.ts'

type Hex = `0x${string}`

/** One batch of proofs of one circuit. */
export interface VerifyTask {
  circuit: Circuit
  proofs: readonly UncheckedProof[]
}

const settings = workerData as WorkerSettings
const meter = createCpuMeter()
let verifier: Promise<ProofVerifier & Partial<Pick<Groth16Verifier, 'hasFastField'>>> | undefined
let curve: Promise<StealthCurve> | undefined
let signers: Promise<FeeCommitmentSigners> | undefined
let simulator: Promise<NodeSimulator> | undefined
let callsSimulator: Promise<CallsSimulator> | undefined
let evmSimulator: Promise<CallSimulator> | undefined

async function loadVerifier(): NonNullable<typeof verifier> {
  const { CIRCUIT_KEYS } = await import('./groth16/verification-key.ts')
  if (settings.verifier === 'snarkjs') {
    const { createSnarkjsVerifier } = await import('./groth16/snarkjs-verifier.ts')
    return createSnarkjsVerifier(CIRCUIT_KEYS)
  }
  const { createGroth16Verifier } = await import('./groth16/groth16-verifier.ts')
  return createGroth16Verifier(CIRCUIT_KEYS, settings.maxBatch, settings.tables)
}

async function loadSigners(): Promise<FeeCommitmentSigners> {
  const { createFeeCommitmentSigners } = await import('./signing/fee-commitment-signers.ts')
  return createFeeCommitmentSigners(settings.commitmentKeys)
}

async function loadSimulator(): Promise<NodeSimulator> {
  const { createCallSimulator } = await import('./simulation/simulate-call.ts')
  return createCallSimulator()
}

async function loadCallsSimulator(): Promise<CallsSimulator> {
  const { createCallsSimulator } = await import('./simulation/simulate-calls.ts')
  return createCallsSimulator()
}

async function loadEvmSimulator(): Promise<CallSimulator> {
  const { createEvmCallSimulator } = await import('./simulation/simulate-in-evm.ts')
  return createEvmCallSimulator()
}

function describeFailure(error: unknown, cpuMs: number): TaskResult<never> {
  const code = error instanceof TaskError ? error.code : 'internal'
  const { message, stack } = error instanceof Error ? error : { message: String(error) }
  // The caller's thread cannot see the place of an internal error, so its stack travels along.
  return { ok: false, code, message, cpuMs, ...(code === 'internal' && { stack }) }
}

function runSync<T>(task: () => T): TaskResult<T> {
  try {
    return { ok: true, ...meter.measure(task) }
  } catch (error) {
    return describeFailure(error, meter.claim())
  }
}

/** Measures a task that may wait: its first turn directly, the rest by its claim at the end. */
async function runWaiting<T>(task: () => T | Promise<T>): Promise<TaskResult<T>> {
  try {
    const { value, cpuMs } = meter.measure(task)
    if (!(value instanceof Promise)) return { ok: true, value, cpuMs }
    return { ok: true, value: await value, cpuMs: cpuMs + meter.claim() }
  } catch (error) {
    return describeFailure(error, meter.claim())
  }
}

/** Makes the first real task as fast as the others. Returns false if the thread verifies without the faster field. */
export async function prepare(kind: 'verify' | 'call' | 'evm'): Promise<boolean> {
  let hasFastField = true
  if (kind === 'verify') ({ hasFastField = true } = await (verifier ??= loadVerifier()))
  else if (kind === 'evm') await (evmSimulator ??= loadEvmSimulator())
  else {
    simulator ??= loadSimulator()
    if (settings.commitmentKeys.length > 0) await (signers ??= loadSigners())
    await simulator
  }
  meter.claim()
  return hasFastField
}

/** Task: verifies proofs of one circuit, as a batch when there are several. */
export async function verify({ circuit, proofs }: VerifyTask): Promise<TaskResult<VerifyOutcome[]>> {
  const loaded = await (verifier ??= loadVerifier())
  return runWaiting(() => loaded.verify(circuit, proofs))
}

/**
 * Task: derives `count` addresses from derivationNonce `first` on, then wipes this thread's copy of the view key.
 */
export async function derive({ first, count, ...keys }: DeriveJob): Promise<TaskResult<Hex[]>> {
  const { deriveAddresses } = await import('./derivation/derive-addresses.ts')
  const { loadStealthCurve } = await import('./derivation/stealth-curve.ts')
  const loaded = await (curve ??= loadStealthCurve())
  const nonces = Array.from({ length: count }, (_, index) => first + BigInt(index))
  try {
    return runSync(() => deriveAddresses(loaded, keys, nonces))
  } finally {
    // this thread's own copy
    keys.childViewKey.fill(0)
  }
}

/** Task: reads the leaves out of an ASP's answer; null unless they are well formed. */
export async function readLeaves(answer: Uint8Array): Promise<TaskResult<Uint8Array | null>> {
  const merkle = await import('./merkle/parse-leaves.ts')
  return runSync(() => merkle.parseLeaves(answer))
}

/** Task: appends leaves to a tree. */
export async function hashLeaves(job: HashLeavesJob): Promise<TaskResult<HashedLeaves>> {
  const merkle = await import('./merkle/append-leaves.ts')
  return runSync(() => merkle.appendLeaves(job))
}

/**
 * Task: has a remote signer sign a fee commitment. Fails as `unknown-signer` or `unavailable`.
 */
export async function signFeeCommitment(job: SignFeeCommitmentJob): Promise<TaskResult<Hex>> {
  const keys = await (signers ??= loadSigners())
  return runWaiting(() => keys.sign(job))
}

async function runSimulation<T>(simulate: () => Promise<T>): Promise<TaskResult<T>> {
  try {
    const value = await simulate()
    return { ok: true, value, cpuMs: meter.claim() }
  } catch (error) {
    return describeFailure(error, meter.claim())
  }
}

/** Task: simulates on a node; null where no node has more than `eth_call`, which our EVM outdoes. */
export async function simulateOnNode(job: SimulateJob): Promise<TaskResult<SimulateOutcome | null>> {
  return runSimulation(async () => (await (simulator ??= loadSimulator())).simulateWell(job))
}

/** Task: runs calls one after another on a node; null where none can. */
export async function simulateCalls(job: SimulateCallsJob): Promise<TaskResult<CallsOutcome | null>> {
  return runSimulation(async () => (await (callsSimulator ??= loadCallsSimulator())).simulate(job))
}

/** Task: simulates on a node, with `eth_call` as the last resort. */
export async function simulateByCall(job: SimulateJob): Promise<TaskResult<SimulateOutcome>> {
  return runSimulation(async () => (await (simulator ??= loadSimulator())).simulate(job))
}

/** Task: simulates in this thread's EVM. Fails as `unavailable` when no node answers. */
export async function simulateInEvm(job: SimulateJob): Promise<TaskResult<SimulateOutcome>> {
  return runSimulation(async () => (await (evmSimulator ??= loadEvmSimulator())).simulate(job))
}
