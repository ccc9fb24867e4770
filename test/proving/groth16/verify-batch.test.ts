import { beforeAll, expect, test } from 'vitest'
import { createGroth16Verifier, type Groth16Verifier } from '../../../proving/groth16/groth16-verifier.ts'
import type { VerifyOutcome } from '../../../proving/proving-pool.ts'
import { G1, readG1, writeG1 } from './bn254-points.ts'
import { loadProofs, type ProofVector } from './load-proofs.ts'
import { isValidByOracle } from './oracle.ts'
import { rerandomizeProof } from './rerandomize-proof.ts'
import { CIRCUIT_KEYS } from '../../../proving/groth16/verification-key.ts'

const VALID: VerifyOutcome = { valid: true }
const WRONG: VerifyOutcome = { valid: false, reason: 'equation' }
const MAX_BATCH = 40

let verifier: Groth16Verifier
let proofs: ProofVector[]
beforeAll(async () => {
  verifier = await createGroth16Verifier(CIRCUIT_KEYS, MAX_BATCH)
  const real = loadProofs('withdraw')
  proofs = Array.from({ length: MAX_BATCH }, (_, index) =>
    rerandomizeProof(real[index % real.length] as ProofVector),
  )
})

const all = (size: number, outcome: VerifyOutcome) => Array.from({ length: size }, () => outcome)

/** A well-formed proof that proves nothing. */
function spoil(vector: ProofVector): ProofVector {
  const pi_c = writeG1(readG1(vector.proof.pi_c).add(G1.BASE))
  return { ...vector, proof: { ...vector.proof, pi_c } }
}

test.each(['withdraw', 'commitment'] as const)(
  'real and re-randomised proofs of %s agree with the oracle',
  (circuit) => {
    for (const real of loadProofs(circuit)) {
      for (const vector of [real, rerandomizeProof(real), rerandomizeProof(real)]) {
        expect(isValidByOracle(vector)).toBe(true)
        expect(verifier.verify(circuit, [vector])).toEqual([VALID])
        expect(isValidByOracle(spoil(vector))).toBe(false)
        expect(verifier.verify(circuit, [spoil(vector)])).toEqual([WRONG])
        for (const [index, signal] of vector.publicSignals.entries()) {
          const publicSignals = vector.publicSignals.with(index, signal === '0' ? '1' : '0')
          expect(verifier.verify(circuit, [{ ...vector, publicSignals }])).toEqual([WRONG])
        }
      }
    }
  },
)

test.each([1, 2, 3, 8, 9, 17, MAX_BATCH])('a batch of %i valid proofs is valid', (size) => {
  expect(verifier.verify('withdraw', proofs.slice(0, size))).toEqual(all(size, VALID))
})

test.each([2, 8, 9, 16, 33])('a single wrong proof is found anywhere in a batch of %i', (size) => {
  for (let place = 0; place < size; place += Math.ceil(size / 5)) {
    const batch = proofs.slice(0, size)
    batch[place] = spoil(batch[place] as ProofVector)
    expect(verifier.verify('withdraw', batch)).toEqual(all(size, VALID).with(place, WRONG))
  }
})

test.each([2, 9, 32])('%i wrong proofs are all refused', (size) => {
  expect(verifier.verify('withdraw', proofs.slice(0, size).map(spoil))).toEqual(all(size, WRONG))
})

test('a batch separates valid proofs from wrong ones', () => {
  const isWrong = (index: number) => index % 3 === 0 || index > 29
  const batch = proofs.map((vector, index) => (isWrong(index) ? spoil(vector) : vector))
  expect(verifier.verify('withdraw', batch)).toEqual(
    batch.map((_, index) => (isWrong(index) ? WRONG : VALID)),
  )
})

test('malformed proofs in a batch keep their own refusal reasons', () => {
  const [first, second, third] = proofs as [ProofVector, ProofVector, ProofVector]
  const batch = [{ ...first, publicSignals: [] }, second, { ...third, proof: null }, spoil(first), third]
  expect(verifier.verify('withdraw', batch)).toEqual([
    { valid: false, reason: 'signals' },
    VALID,
    { valid: false, reason: 'encoding' },
    WRONG,
    VALID,
  ])
})

test('errors that would cancel out without random multipliers are found', () => {
  const [first, second] = proofs as [ProofVector, ProofVector]
  const shift = (vector: ProofVector, by: InstanceType<typeof G1>) => ({
    ...vector,
    proof: { ...vector.proof, pi_c: writeG1(readG1(vector.proof.pi_c).add(by)) },
  })
  const batch = [shift(first, G1.BASE), shift(second, G1.BASE.negate())]
  expect(verifier.verify('withdraw', batch)).toEqual([WRONG, WRONG])
})

test('signals swapped between two valid proofs are found', () => {
  const [first, second] = loadProofs('withdraw') as [ProofVector, ProofVector]
  const batch = [
    { ...first, publicSignals: second.publicSignals },
    { ...second, publicSignals: first.publicSignals },
  ]
  expect(verifier.verify('withdraw', batch)).toEqual([WRONG, WRONG])
})

test('an empty batch has no outcomes, and one too large is refused', () => {
  expect(verifier.verify('withdraw', [])).toEqual([])
  expect(() => verifier.verify('withdraw', [...proofs, ...proofs])).toThrow(RangeError)
})
