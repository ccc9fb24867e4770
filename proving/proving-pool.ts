import type { HashedLeaves, HashLeavesJob } from './merkle/append-leaves.ts'
import type { CallsOutcome, SimulateCallsJob, SimulateJob, SimulateOutcome } from './simulate-job.ts'

type Hex = `0x${string}`

/** A Groth16 proof as snarkjs writes it: decimal strings, projective coordinates whose last is 1. */
export interface Groth16Proof {
  pi_a: readonly string[]
  pi_b: readonly (readonly string[])[]
  pi_c: readonly string[]
  protocol: string
  curve: string
}

/** The circuits that can be verified; their keys are in groth16/keys. */
export type Circuit = 'withdraw' | 'commitment'

/** One proof to verify. Nothing about `proof` and `publicSignals` is trusted, whatever their types say. */
export interface VerifyJob {
  circuit: Circuit
  proof: Groth16Proof
  publicSignals: readonly string[]
  /** Identifies the caller, by any stable text: a client whose proofs fail is verified apart from the others' batches. */
  client?: string
}

/** The reason of a refusal; `equation` is a well-formed proof of another statement. */
export type VerifyRefusal = 'encoding' | 'signals' | 'point' | 'subgroup' | 'equation'
/** The verdict on one proof. An invalid proof is an outcome, not an error. */
export type VerifyOutcome = { valid: true } | { valid: false; reason: VerifyRefusal }

/** The EIP-712 message RelayerCommitment: amounts in the asset's smallest unit, expiration in milliseconds. */
export interface FeeCommitmentMessage {
  chainId: number
  withdrawalData: Hex
  asset: Hex
  expiration: bigint
  amount: bigint
  extraGas: boolean
}

/** A fee commitment to sign, and the key to sign it with. */
export interface SignFeeCommitmentJob {
  /** Address of one of the pool's configured commitment keys, ours or a remote signer's. */
  signer: Hex
  message: FeeCommitmentMessage
}

/** A fee commitment with the signature (hex of r‖s‖v) that came back with it. */
export interface FindOwnSignerJob {
  message: FeeCommitmentMessage
  signature: Hex
}

/** One-time addresses of successive derivationNonces; see deriveAddresses. */
export interface DeriveJob {
  /** 32 bytes, secret. Not a view into a larger buffer: all of that would go to the thread. */
  childViewKey: Uint8Array
  /** 65 bytes, uncompressed; no view either. */
  spendPublicKey: Uint8Array
  /** derivationNonce of the first one. */
  first: bigint
  /** At most 1,000, some 0.15 ms each. */
  count: number
}

/** Thrown by every method when the bounded queue is full; nothing was started. */
export class ProvingBusyError extends Error {
  override name = 'ProvingBusyError'
}

/**
 * Thrown when the threads of a task and of its second attempt ended before an answer. The caller may try again.
 */
export class ThreadLostError extends Error {
  override name = 'ThreadLostError'
}

/** Leaves of one job of `hashLeaves`: they keep a verifying thread busy for some 40 ms. */
export const MAX_HASHED_LEAVES = 128
/** Bytes of an ASP's answer: some 800,000 leaves. */
export const MAX_LEAVES_ANSWER = 64 * 1_024 * 1_024

/** CPU work in worker threads: plain data in, plain data out. */
export interface ProvingPool {
  /** Strict Groth16 verification. Proofs that arrive while every worker is busy are verified as one batch. */
  verify(job: VerifyJob): Promise<VerifyOutcome>
  /** True if a proof of this client failed within the last minute. */
  failedRecently(client: string): boolean
  /**
   * Signs by a 65-byte r‖s‖v signature with low s, byte-identical to viem's signTypedData for a local key. A remote signer's
   * signature is verified; a signer that does not answer throws a TaskError `unavailable`.
   */
  signFeeCommitment(job: SignFeeCommitmentJob): Promise<Hex>
  /** Returns the address of the configured commitment key that signed `message`, or null when none of them did. */
  findOwnSigner(job: FindOwnSignerJob): Promise<Hex | null>
  /** Derives many addresses of one account, checksummed; one job at a time, so that proofs need not wait for all of them. */
  derive(job: DeriveJob): Promise<Hex[]>
  /**
   * Reads the leaves in an ASP's answer of at most {@link MAX_LEAVES_ANSWER} bytes, 32 bytes each. Null unless they are well
   * formed field elements above 0. Runs one job at a time, counting those of `hashLeaves`.
   */
  readLeaves(answer: Uint8Array): Promise<Uint8Array | null>
  /** Appends at most {@link MAX_HASHED_LEAVES} leaves to a LeanIMT of Poseidon(2). */
  hashLeaves(job: HashLeavesJob): Promise<HashedLeaves>
  /** Runs one call against the chain's state, see `prefer`. Throws only when no node answered. */
  simulate(job: SimulateJob): Promise<SimulateOutcome>
  /** Runs calls one after another; null where no node can. Throws only when no node answered. */
  simulateCalls(job: SimulateCallsJob): Promise<CallsOutcome | null>
  /** Tasks waiting and running now, and totals since start, per kind of task. */
  stats(): ProvingStats
  /** Accepts no more work, lets running tasks end (at most `graceMs`), then stops the threads. */
  close(graceMs?: number): Promise<void>
}

/** The pool's load now and its totals since the start, as `/metrics` reports them. */
export interface ProvingStats {
  workers: number
  queued: number
  running: number
  /** `cpuMs` is summed over tasks as measured in the worker. */
  tasks: Record<
    'verify' | 'sign' | 'simulate' | 'derive' | 'hash',
    { done: number; failed: number; cpuMs: number }
  >
  batches: { count: number; proofs: number }
  /** Proofs of the sample that snarkjs verified as well; `failed` ones have the verdict of the fast verifier alone. */
  crossChecks: { agreed: number; disagreed: number; failed: number }
}
