import type { VerifyRefusal } from '../proving-pool.ts'
import { SIZE, type Curve } from './curve.ts'
import type { Pairing } from './pairing.ts'
import { parseG1 } from './parse-point.ts'
import { parseProofPoints, parseSignals } from './proof-encoding.ts'

/** Addresses of one proof of a batch in the curve's memory. */
export interface ProofSlot {
  /** −A, affine: the equation needs only the negative of A. */
  negatedA: number
  b: number
  preparedB: number
  c: number
}

/** A proof whose points passed every check, with its public signals as integers below r. */
export interface LoadedProof {
  slot: ProofSlot
  signals: readonly bigint[]
}

/** Reserves the memory of one proof's points. It is never freed, so a verifier allocates its slots once. */
export function allocateProofSlot({ memory }: Curve): ProofSlot {
  return {
    negatedA: memory.allocate(SIZE.g1Affine),
    b: memory.allocate(SIZE.g2Jacobian),
    preparedB: memory.allocate(SIZE.preparedG2),
    c: memory.allocate(SIZE.g1Affine),
  }
}

/** Reads an unchecked proof and its public signals into memory; the cheap checks come first. */
export function loadProof(
  pairing: Pairing,
  slot: ProofSlot,
  signalCount: number,
  proof: unknown,
  publicSignals: unknown,
): LoadedProof | VerifyRefusal {
  const signals = parseSignals(publicSignals, signalCount)
  if (!signals) return 'signals'
  const points = parseProofPoints(proof)
  if (!points) return 'encoding'
  const refusal =
    parseG1(pairing.curve, slot.negatedA, points.pi_a) ??
    parseG1(pairing.curve, slot.c, points.pi_c) ??
    pairing.parseAndPrepareG2(slot.b, slot.preparedB, points.pi_b)
  if (refusal) return refusal
  pairing.curve.run.g1m_negAffine(slot.negatedA, slot.negatedA)
  return { slot, signals }
}
