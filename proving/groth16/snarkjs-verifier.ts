import { FIELD_ORDER } from '../field-element.ts'
import type { Circuit, VerifyOutcome, VerifyRefusal } from '../proving-pool.ts'
import type { ProofVerifier, UncheckedProof } from './groth16-verifier.ts'
import { parseG1Coordinates, parseG2Coordinates, parseProofPoints, parseSignals } from './proof-encoding.ts'
import type { VerificationKey } from './verification-key.ts'

/** A thread that loads snarkjs needs this member in its data: web-worker, a part of ffjavascript, evaluates it. */
export const EMPTY_PROGRAM = { mod: 'data:application/javascript,' } as const

/** The variable in which snarkjs expects its curve. Without one it starts threads of its own. */
const place = globalThis as { curve_bn128?: unknown }

/**
 * Creates a verifier that leaves the equation to `snarkjs.groth16.verify`, some 20 ms a proof. The points are checked by
 * ffjavascript, and beyond what snarkjs checks: canonical encodings, no infinity, membership in G2. It shares no
 * arithmetic with the fast verifier, only the parsing of texts.
 *
 * Changes the thread's globals; call it in a thread of its own, with {@link EMPTY_PROGRAM} in the thread's data.
 */
export async function createSnarkjsVerifier(
  keys: Readonly<Record<Circuit, VerificationKey>>,
): Promise<ProofVerifier> {
  const { buildBn128 } = await import('ffjavascript')
  const { groth16 } = await import('snarkjs')
  const curve = await buildBn128(true)
  const { G1, G2 } = curve

  function refuseG1(point: unknown): VerifyRefusal | null {
    const coordinates = parseG1Coordinates(point)
    if (!coordinates) return 'encoding'
    const encoded = G1.fromObject(coordinates)
    return G1.isZero(encoded) || !G1.isValid(encoded) ? 'point' : null
  }

  function refuseG2(point: unknown): VerifyRefusal | null {
    const [x0, x1, y0, y1] = parseG2Coordinates(point) ?? []
    if (x0 === undefined || x1 === undefined || y0 === undefined || y1 === undefined) return 'encoding'
    const encoded = G2.fromObject([
      [x0, x1],
      [y0, y1],
    ])
    if (G2.isZero(encoded) || !G2.isValid(encoded)) return 'point'
    return G2.isZero(G2.timesScalar(encoded, FIELD_ORDER)) ? null : 'subgroup'
  }

  async function findRefusal(
    key: VerificationKey,
    { proof, publicSignals }: UncheckedProof,
  ): Promise<VerifyRefusal | null> {
    if (!parseSignals(publicSignals, key.nPublic)) return 'signals'
    const points = parseProofPoints(proof)
    if (!points) return 'encoding'
    const refusal = refuseG1(points.pi_a) ?? refuseG1(points.pi_c) ?? refuseG2(points.pi_b)
    if (refusal) return refusal
    place.curve_bn128 = curve
    const isRight = await groth16.verify(key, publicSignals as string[], proof as never)
    return isRight ? null : 'equation'
  }

  return {
    async verify(circuit, proofs) {
      const outcomes: VerifyOutcome[] = []
      for (const proof of proofs) {
        const reason = await findRefusal(keys[circuit], proof)
        outcomes.push(reason ? { valid: false, reason } : { valid: true })
      }
      return outcomes
    },
  }
}
