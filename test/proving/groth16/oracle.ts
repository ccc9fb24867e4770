import { bn254 } from '@noble/curves/bn254.js'
import { readG1, readG2 } from './bn254-points.ts'
import type { ProofVector } from './load-proofs.ts'
import { CIRCUIT_KEYS } from '../../../proving/groth16/verification-key.ts'

const { Fp12, Fr } = bn254.fields

/** Groth16 as in the paper, by another library: four pairings, with no code in common with the verifier. */
export function isValidByOracle({ circuit, proof, publicSignals }: ProofVector): boolean {
  const key = CIRCUIT_KEYS[circuit]
  const [constant, ...bases] = key.IC.map(readG1)
  if (!constant || publicSignals.length !== bases.length) return false
  const inputs = bases.reduce((sum, base, index) => {
    const signal = BigInt(publicSignals[index] ?? '')
    if (!Fr.isValid(signal)) throw new RangeError('not a field element')
    return sum.add(base.multiplyUnsafe(signal))
  }, constant)
  const [a, b, c] = [readG1(proof.pi_a), readG2(proof.pi_b), readG1(proof.pi_c)]
  for (const point of [a, b, c]) point.assertValidity()
  const product = bn254.pairingBatch([
    { g1: a.negate(), g2: b },
    { g1: readG1(key.vk_alpha_1), g2: readG2(key.vk_beta_2) },
    { g1: inputs, g2: readG2(key.vk_gamma_2) },
    { g1: c, g2: readG2(key.vk_delta_2) },
  ])
  return Fp12.eql(product, Fp12.ONE)
}
