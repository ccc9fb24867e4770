import { randomBytes } from 'node:crypto'
import { bn254 } from '@noble/curves/bn254.js'
import { readG1, readG2, writeG1, writeG2 } from './bn254-points.ts'
import type { ProofVector } from './load-proofs.ts'
import { CIRCUIT_KEYS } from '../../../proving/groth16/verification-key.ts'

const { Fr } = bn254.fields

function pickScalar(): bigint {
  return Fr.create(BigInt(`0x${randomBytes(40).toString('hex')}`)) || 1n
}

/**
 * Another valid proof of the same statement: (A/t, tB + tzδ, C + zA) for random t and z (Groth, ePrint 2016/260;
 * anyone can do this to a proof that they see).
 */
export function rerandomizeProof({ circuit, proof, publicSignals }: ProofVector): ProofVector {
  const [t, z] = [pickScalar(), pickScalar()]
  const a = readG1(proof.pi_a)
  const delta = readG2(CIRCUIT_KEYS[circuit].vk_delta_2)
  return {
    circuit,
    publicSignals: [...publicSignals],
    proof: {
      ...proof,
      pi_a: writeG1(a.multiply(Fr.inv(t))),
      pi_b: writeG2(
        readG2(proof.pi_b)
          .multiply(t)
          .add(delta.multiply(Fr.mul(t, z))),
      ),
      pi_c: writeG1(readG1(proof.pi_c).add(a.multiply(z))),
    },
  }
}
