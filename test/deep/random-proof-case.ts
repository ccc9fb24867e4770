import { randomInt } from 'node:crypto'
import { BASE_FIELD_ORDER as q } from '../../proving/groth16/field-order.ts'
import { FIELD_ORDER as r } from '../../proving/field-element.ts'
import type { Circuit } from '../../proving/proving-pool.ts'
import { G1, pickTwistPoint, readG1, readG2, writeG1, writeG2 } from '../proving/groth16/bn254-points.ts'
import { loadProofs, type ProofVector } from '../proving/groth16/load-proofs.ts'
import { isValidByOracle } from '../proving/groth16/oracle.ts'
import { rerandomizeProof } from '../proving/groth16/rerandomize-proof.ts'

/** A proof to be verified. */
export interface RandomProof {
  kind: string
  vector: ProofVector
}

/** A proof to be verified, and the expected result. */
export interface ProofCase extends RandomProof {
  valid: boolean
}

type Change = (vector: ProofVector) => ProofVector

const withProof = (vector: ProofVector, proof: Partial<ProofVector['proof']>): ProofVector => ({
  ...vector,
  proof: { ...vector.proof, ...proof },
})
const pickScalar = () => BigInt(randomInt(1, 2 ** 47))
const pickPlace = (list: readonly unknown[]) => randomInt(list.length)
const shift = (point: readonly string[]) => writeG1(readG1(point).add(G1.BASE.multiply(pickScalar())))

/** Changes that keep points and signals well-formed; the oracle decides whether the proof is still valid. */
const WELL_FORMED: Record<string, Change> = {
  none: (vector) => vector,
  'A moved': (vector) => withProof(vector, { pi_a: shift(vector.proof.pi_a) }),
  'C moved': (vector) => withProof(vector, { pi_c: shift(vector.proof.pi_c) }),
  'A and C swapped': (vector) => withProof(vector, { pi_a: vector.proof.pi_c, pi_c: vector.proof.pi_a }),
  '−A': (vector) => withProof(vector, { pi_a: writeG1(readG1(vector.proof.pi_a).negate()) }),
  '−A and −B': (vector) =>
    withProof(vector, {
      pi_a: writeG1(readG1(vector.proof.pi_a).negate()),
      pi_b: writeG2(readG2(vector.proof.pi_b).negate()),
    }),
  'B doubled': (vector) => withProof(vector, { pi_b: writeG2(readG2(vector.proof.pi_b).double()) }),
  'another signal': (vector) => {
    const place = pickPlace(vector.publicSignals)
    const moved = (BigInt(vector.publicSignals[place] ?? '') + pickScalar()) % r
    return { ...vector, publicSignals: vector.publicSignals.with(place, String(moved)) }
  },
  'B outside its subgroup': (vector) => withProof(vector, { pi_b: writeG2(pickTwistPoint(pickScalar())) }),
  'B plus a point outside': (vector) =>
    withProof(vector, { pi_b: writeG2(readG2(vector.proof.pi_b).add(pickTwistPoint(pickScalar()))) }),
}

/** Changes to the notation only: the oracle parses numbers more generously, the verifier must not. */
const MALFORMED: Record<string, Change> = {
  'A.x + q': ({ proof, ...rest }) => ({
    ...rest,
    proof: { ...proof, pi_a: proof.pi_a.with(0, String(BigInt(proof.pi_a[0] ?? '') + q)) },
  }),
  'C.y + q': ({ proof, ...rest }) => ({
    ...rest,
    proof: { ...proof, pi_c: proof.pi_c.with(1, String(BigInt(proof.pi_c[1] ?? '') + q)) },
  }),
  'B.x + q': ({ proof, ...rest }) => {
    const [[x = '', i = ''] = [], ...others] = proof.pi_b
    return { ...rest, proof: { ...proof, pi_b: [[String(BigInt(x) + q), i], ...others] } }
  },
  'B off the twist': ({ proof, ...rest }) => {
    const [[x = '', i = ''] = [], ...others] = proof.pi_b
    return { ...rest, proof: { ...proof, pi_b: [[String((BigInt(x) + 1n) % q), i], ...others] } }
  },
  'B with another z': (vector) =>
    withProof(vector, { pi_b: [...vector.proof.pi_b.slice(0, 2), [String(pickScalar() + 1n), '0']] }),
  'A in hexadecimal': ({ proof, ...rest }) => ({
    ...rest,
    proof: { ...proof, pi_a: proof.pi_a.with(0, `0x${BigInt(proof.pi_a[0] ?? '').toString(16)}`) },
  }),
  'C negative': ({ proof, ...rest }) => ({
    ...rest,
    proof: { ...proof, pi_c: proof.pi_c.with(0, String(BigInt(proof.pi_c[0] ?? '') - q)) },
  }),
  'another curve': (vector) => withProof(vector, { curve: 'bls12381' }),
  'A rescaled': ({ proof, ...rest }) => {
    const z = pickScalar() + 1n
    const [x = '', y = ''] = proof.pi_a
    const pi_a = [(BigInt(x) * z ** 2n) % q, (BigInt(y) * z ** 3n) % q, z].map(String)
    return { ...rest, proof: { ...proof, pi_a } }
  },
  'A at infinity': (vector) => withProof(vector, { pi_a: ['0', '1', '0'] }),
  'A off the curve': ({ proof, ...rest }) => ({
    ...rest,
    proof: { ...proof, pi_a: proof.pi_a.with(0, String((BigInt(proof.pi_a[0] ?? '') + 1n) % q)) },
  }),
  'a signal + r': (vector) => {
    const place = pickPlace(vector.publicSignals)
    const moved = BigInt(vector.publicSignals[place] ?? '') + r
    return { ...vector, publicSignals: vector.publicSignals.with(place, String(moved)) }
  },
  'a signal with a leading zero': (vector) => {
    const place = pickPlace(vector.publicSignals)
    return { ...vector, publicSignals: vector.publicSignals.with(place, `0${vector.publicSignals[place]}`) }
  },
  'a signal missing': (vector) => ({ ...vector, publicSignals: vector.publicSignals.slice(1) }),
  'a signal too many': (vector) => ({ ...vector, publicSignals: [...vector.publicSignals, '0'] }),
}

function askOracle(vector: ProofVector): boolean {
  try {
    return isValidByOracle(vector)
  } catch {
    return false // it throws at points that are none, or outside their subgroup
  }
}

/** Re-randomising costs as much as verifying, so each such proof is used for several cases with different changes. */
const CASES_PER_PROOF = 20

/** Number of kinds of cases; two of them leave a proof valid. */
export const KINDS = Object.keys(WELL_FORMED).length + Object.keys(MALFORMED).length

/** Proofs of every kind in turn: a real proof, re-randomised, then changed. */
export function* makeRandomProofs(circuit: Circuit, count: number): Generator<RandomProof> {
  const real = loadProofs(circuit)
  const changes = [...Object.entries(WELL_FORMED), ...Object.entries(MALFORMED)]
  const proofs = Array.from({ length: Math.ceil(count / CASES_PER_PROOF) }, (_, index) =>
    rerandomizeProof(real[index % real.length] as ProofVector),
  )
  for (let index = 0; index < count; index += 1) {
    const [kind, change] = changes[index % changes.length] as [string, Change]
    yield { kind, vector: change(proofs[pickPlace(proofs)] as ProofVector) }
  }
}

/** Random proofs with the result that they must have. */
export function* makeProofCases(circuit: Circuit, count: number): Generator<ProofCase> {
  for (const { kind, vector } of makeRandomProofs(circuit, count))
    yield { kind, vector, valid: kind in WELL_FORMED && askOracle(vector) }
}
