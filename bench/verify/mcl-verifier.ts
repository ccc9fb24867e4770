import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import {
  BN_SNARK1,
  Fr,
  G1,
  G2,
  GT,
  PrecomputedG2,
  add,
  finalExp,
  getMemory,
  init,
  millerLoop,
  mul,
  mulVec,
  neg,
  precomputedMillerLoop,
  precomputedMillerLoop2,
  precomputedMillerLoop2mixed,
} from 'mcl-wasm'
import type { ProofVector } from '../../test/proving/groth16/load-proofs.ts'
import { CIRCUIT_KEYS } from '../../proving/groth16/verification-key.ts'

/** The function that its typed surface lacks: the product of many Miller loops. The member exists once it is initialised. */
const low = createRequire(import.meta.url)('mcl-wasm/dist/mcl.js') as {
  mod: {
    _malloc(bytes: number): number
    _mclBn_millerLoopVec(to: number, points: number, twisted: number, count: number): void
  }
}
/** Returns the words of a value in mcl's own form. */
const wordsOf = (value: G1 | G2 | GT): Uint32Array => (value as unknown as { a_: Uint32Array }).a_
const G1_BYTES = 144
const G2_BYTES = 288
const GT_BYTES = 576

/** Verification of withdraw proofs by mcl, one at a time and in batches. */
export interface MclVerifier {
  verify(vector: ProofVector): boolean
  /** By a random linear combination; up to `maxBatch`. */
  verifyAll(vectors: readonly ProofVector[]): boolean
}

/**
 * Groth16 as fast as mcl-wasm allows. Lines of the fixed points and e(α, β) are computed once, and points must be on the
 * curve and in the group. A batch shares its Miller loops' squarings and one final exponentiation.
 */
export async function loadMclVerifier(maxBatch: number): Promise<MclVerifier> {
  await init(BN_SNARK1)
  const key = CIRCUIT_KEYS.withdraw
  const [constant, ...bases] = key.IC.map(readG1)
  if (!constant) throw new Error('the key has no points')
  const [alpha, beta] = [readG1(key.vk_alpha_1), readG2(key.vk_beta_2)]
  const fixed = (point: readonly (readonly string[])[]) => new PrecomputedG2(readG2(point))
  const [lines, gamma, delta] = [fixed(key.vk_beta_2), fixed(key.vk_gamma_2), fixed(key.vk_delta_2)]
  const alphaBeta = millerLoop(alpha, beta)
  const [places, twisted, product] = [
    low.mod._malloc(G1_BYTES * maxBatch),
    low.mod._malloc(G2_BYTES * maxBatch),
    low.mod._malloc(GT_BYTES),
  ]

  return {
    verify({ proof, publicSignals }) {
      const inputs = add(constant, mulVec(bases, publicSignals.map(readFr)))
      const first = precomputedMillerLoop2mixed(neg(readG1(proof.pi_a)), readG2(proof.pi_b), inputs, gamma)
      const second = precomputedMillerLoop(readG1(proof.pi_c), delta)
      return finalExp(mul(mul(first, second), alphaBeta)).isOne()
    },
    verifyAll(vectors) {
      const weights = vectors.map(() => readFr(BigInt(`0x${randomBytes(16).toString('hex')}`).toString()))
      const sums = Array.from({ length: bases.length + 1 }, () => readFr('0'))
      const points = vectors.map(({ proof, publicSignals }, index) => {
        const weight = weights[index] as Fr
        for (const [place, signal] of ['1', ...publicSignals].entries())
          sums[place] = add(sums[place] as Fr, mul(readFr(signal), weight))
        return {
          a: mul(neg(readG1(proof.pi_a)), weight),
          b: readG2(proof.pi_b),
          c: readG1(proof.pi_c),
        }
      })
      const inputs = mulVec([constant, ...bases], sums)
      const corrections = mulVec(
        points.map(({ c }) => c),
        weights,
      )
      // Memory may have grown, and then has moved.
      const memory = () => new Uint32Array(getMemory().buffer)
      const before = memory()
      for (const [index, { a, b }] of points.entries()) {
        before.set(wordsOf(a), (places + G1_BYTES * index) >> 2)
        before.set(wordsOf(b), (twisted + G2_BYTES * index) >> 2)
      }
      low.mod._mclBn_millerLoopVec(product, places, twisted, points.length)
      const paired = new GT()
      wordsOf(paired).set(memory().subarray(product >> 2, (product + GT_BYTES) >> 2))
      const others = precomputedMillerLoop2(inputs, gamma, corrections, delta)
      const constantPart = precomputedMillerLoop(mul(alpha, sums[0] as Fr), lines)
      return finalExp(mul(mul(paired, others), constantPart)).isOne()
    },
  }
}

function readG1([x, y]: readonly string[]): G1 {
  const point = new G1()
  point.setStr(`1 ${x} ${y}`, 10)
  return point
}

function readG2([x, y]: readonly (readonly string[])[]): G2 {
  const point = new G2()
  point.setStr(`1 ${x?.join(' ')} ${y?.join(' ')}`, 10)
  return point
}

function readFr(text: string): Fr {
  const element = new Fr()
  element.setStr(text, 10)
  return element
}
