import { SIZE } from './curve.ts'
import type { LoadedProof } from './load-proof.ts'
import type { Pairing } from './pairing.ts'
import type { PreparedKey } from './verification-key.ts'

/** True when a loaded proof satisfies the verification equation. */
export type CheckOne = (proof: LoadedProof) => boolean

/**
 * Checks the equation of Groth16 (ePrint 2016/260, section 3.2): e(−A, B) · e(α, β) · e(IC₀ + Σ sⱼ·ICⱼ, γ) · e(C, δ) = 1.
 * The key has the Miller value of (α, β).
 */
export function createCheckOne({ curve, isProductOne }: Pairing, key: PreparedKey): CheckOne {
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
