import { parseFieldElement } from '../field-element.ts'
import type { VerifyRefusal } from '../proving-pool.ts'
import { SIZE, type Curve } from './curve.ts'
import type { Pairing } from './pairing.ts'
import { parseG1 } from './parse-point.ts'

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

/** Canonical decimals below r, exactly `count` of them; null for anything else. */
function parseSignals(signals: unknown, count: number): bigint[] | null {
  if (!Array.isArray(signals) || signals.length !== count) return null
  const parsed = signals.map(parseFieldElement)
  return parsed.every((signal) => signal !== null) ? parsed.map(BigInt) : null
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
  if (typeof proof !== 'object' || proof === null) return 'encoding'
  const { pi_a, pi_b, pi_c, protocol, curve } = proof as Record<string, unknown>
  if (protocol !== 'groth16' || curve !== 'bn128') return 'encoding'
  const refusal =
    parseG1(pairing.curve, slot.negatedA, pi_a) ??
    parseG1(pairing.curve, slot.c, pi_c) ??
    pairing.parseAndPrepareG2(slot.b, slot.preparedB, pi_b)
  if (refusal) return refusal
  pairing.curve.run.g1m_negAffine(slot.negatedA, slot.negatedA)
  return { slot, signals }
}
