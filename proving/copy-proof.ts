import type { UncheckedProof } from './groth16/groth16-verifier.ts'
import type { VerifyJob, VerifyRefusal } from './proving-pool.ts'

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
export function copyProof({ proof, publicSignals }: VerifyJob): UncheckedProof | VerifyRefusal {
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
