import type { Circuit, VerifyOutcome } from '../proving-pool.ts'
import { createBatchCheck } from './check-batch.ts'
import { createCheckOne } from './check-one.ts'
import { findWrongProofs } from './find-wrong-proofs.ts'
import { allocateProofSlot, loadProof, type LoadedProof, type ProofSlot } from './load-proof.ts'
import { createPairing } from './pairing.ts'
import { prepareKey, type VerificationKey } from './verification-key.ts'

/** A proof with its public signals, as the client sent them; their shape is not trusted. */
export interface UncheckedProof {
  proof: unknown
  publicSignals: unknown
}

/** Strict Groth16 verification over BN254, synchronous. */
export interface Groth16Verifier {
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
