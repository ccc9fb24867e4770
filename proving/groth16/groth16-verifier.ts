import type { Circuit, VerifyOutcome } from '../proving-pool.ts'
import { createBatchCheck, type BatchCheck, type RandomizedProof } from './check-batch.ts'
import { allocateProofSlot, loadProof, type LoadedProof, type ProofSlot } from './load-proof.ts'
import { createPairing, type Pairing } from './pairing.ts'
import { prepareKey, type VerificationKey, type PreparedKey } from './verification-key.ts'
import { SIZE } from './curve.ts'

/** A proof with its public signals, as the client sent them; their shape is not trusted. */
export interface UncheckedProof {
  proof: unknown
  publicSignals: unknown
}

/** Strict Groth16 verification over BN254. Two verifiers give the same outcomes, reasons included. */
export interface ProofVerifier {
  /** One outcome per proof, in order. */
  verify(circuit: Circuit, proofs: readonly UncheckedProof[]): VerifyOutcome[] | Promise<VerifyOutcome[]>
}

/** The fast verifier, synchronous. */
export interface Groth16Verifier extends ProofVerifier {
  /** False where a verification takes about three times as long, with the original field of the curve module. */
  hasFastField: boolean
  /** One outcome per proof, in order. More than one well-formed proof are checked as one batch. */
  verify(circuit: Circuit, proofs: readonly UncheckedProof[]): VerifyOutcome[]
}

/** Default limit of the proofs in one batch. */
const DEFAULT_MAX_BATCH = 64

/**
 * Builds a verifier for the given keys: about 20 ms and 0.5 MB per public signal, and 20 KB per proof of `maxBatch`.
 * Throws a RangeError on batches that are larger.
 *
 * @param shared Lets threads share the tables of withdrawals; of `sharedBytesOf(keys.withdraw)` bytes.
 */
export async function createGroth16Verifier(
  keys: Readonly<Record<Circuit, VerificationKey>>,
  maxBatch = DEFAULT_MAX_BATCH,
  shared?: SharedArrayBuffer,
): Promise<Groth16Verifier> {
  const pairing = await createPairing()
  const slots = Array.from({ length: maxBatch }, () => allocateProofSlot(pairing.curve))
  const createChecks = (verificationKey: VerificationKey, tables?: SharedArrayBuffer) => {
    const key = prepareKey(pairing, verificationKey, tables)
    return {
      key,
      checkOne: createCheckOne(pairing, key),
      batch: createBatchCheck(pairing, key, maxBatch),
    }
  }
  type Checks = ReturnType<typeof createChecks>
  const circuits: Partial<Record<Circuit, Checks>> = {
    withdraw: createChecks(keys.withdraw, shared),
  }

  return {
    hasFastField: pairing.curve.hasFastField,
    verify(circuit, proofs) {
      if (proofs.length > maxBatch) throw new RangeError(`a batch holds at most ${maxBatch} proofs`)
      // Nearly all proofs are of withdrawals; the tables of the other circuit are made with its first proof.
      const { key, checkOne, batch } = (circuits[circuit] ??= createChecks(keys[circuit]))
      const read = proofs.map(({ proof, publicSignals }, index) => {
        const slot = slots[index] as ProofSlot
        return loadProof(pairing, slot, key.signalCount, proof, publicSignals)
      })
      const loaded = read.filter((proof): proof is LoadedProof => typeof proof === 'object')
      const wrong =
        loaded.length > 1
          ? findWrongProofs(batch, checkOne, loaded)
          : new Set(loaded.filter((proof) => !checkOne(proof)))
      return read.map((proof): VerifyOutcome => {
        if (typeof proof === 'string') return { valid: false, reason: proof }
        return wrong.has(proof) ? { valid: false, reason: 'equation' } : { valid: true }
      })
    },
  }
}

/** Below this a failed batch is settled faster one by one. */
const SINGLES_BELOW = 9
/** Halvings of a failed batch before its proofs are checked one by one: more would pay off for a lone wrong proof only. */
const MAX_HALVINGS = 2

/**
 * Returns the wrong proofs of a batch. One wrong proof costs a few more batch checks; all wrong, at most about three times
 * singles.
 */
function findWrongProofs(
  batch: BatchCheck,
  checkOne: CheckOne,
  proofs: readonly LoadedProof[],
): Set<LoadedProof> {
  const wrong = new Set<LoadedProof>()

  /** Finds the wrong ones of a list that is known to have some. */
  function search(list: readonly RandomizedProof[], halvings: number): void {
    if (list.length < SINGLES_BELOW || halvings === MAX_HALVINGS) {
      for (const { proof } of list) if (!checkOne(proof)) wrong.add(proof)
      return
    }
    const left = list.slice(0, list.length >> 1)
    const right = list.slice(list.length >> 1)
    const leftIsRight = batch.areAllRight(left)
    if (!leftIsRight) search(left, halvings + 1)
    if (leftIsRight || !batch.areAllRight(right)) search(right, halvings + 1)
  }

  const randomized = batch.randomize(proofs)
  if (!batch.areAllRight(randomized)) search(randomized, 0)
  return wrong
}

/** True when a loaded proof satisfies the verification equation. */
type CheckOne = (proof: LoadedProof) => boolean

/**
 * Checks the equation of Groth16 (ePrint 2016/260, section 3.2): e(−A, B) · e(α, β) · e(IC₀ + Σ sⱼ·ICⱼ, γ) · e(C, δ) = 1.
 * The key has the Miller value of (α, β).
 */
function createCheckOne({ curve, isProductOne }: Pairing, key: PreparedKey): CheckOne {
  const { run, memory } = curve
  const sum = memory.allocate(SIZE.g1Jacobian)
  const inputs = memory.allocate(SIZE.g1Affine)

  return ({ slot, signals }) => {
    run.g1m_toJacobian(key.constant, sum)
    for (const [index, signal] of signals.entries()) key.inputs[index + 1]?.addMultiple(signal, sum)
    run.g1m_toAffine(sum, inputs)
    return isProductOne(
      [
        { g1: slot.negatedA, preparedG2: slot.preparedB },
        { g1: inputs, preparedG2: key.preparedGamma },
        { g1: slot.c, preparedG2: key.preparedDelta },
      ],
      key.alphaBeta,
    )
  }
}
