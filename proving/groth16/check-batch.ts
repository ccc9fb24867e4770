import { FIELD_ORDER } from '../field-element.ts'
import { SIZE, type Curve } from './curve.ts'
import type { LoadedProof } from './load-proof.ts'
import type { Pairing } from './pairing.ts'
import {
  createEndomorphism,
  drawMultipliers,
  type Multiplier,
  type Endomorphism,
} from './random-multiplier.ts'
import type { PreparedKey } from './verification-key.ts'

/** A loaded proof with its random multiplier r and the affine point −r·A. */
export interface RandomizedProof {
  proof: LoadedProof
  multiplier: Multiplier
  scaledA: number
}

/** Checks many loaded proofs of one circuit by a random linear combination of their equations. */
export interface BatchCheck {
  /** Gives every proof a fresh multiplier. The result is valid until the next call. */
  randomize(proofs: readonly LoadedProof[]): RandomizedProof[]
  /** False when a proof among them is wrong; true when all are right, except with probability 2^-128. */
  areAllRight(proofs: readonly RandomizedProof[]): boolean
}

/**
 * Π e(−rᵢAᵢ, Bᵢ) · e(Σrᵢ·α, β) · e(Σ rᵢ·inputsᵢ, γ) · e(Σ rᵢ·Cᵢ, δ) = 1. This is the small-exponents test of Bellare, Garay
 * and Rabin (Eurocrypt 1998), for pairings by Ferrara, Green, Hohenberger and Pedersen (CT-RSA 2009). It is sound only for
 * points of prime order r, so every B must have passed the subgroup check.
 */
export function createBatchCheck(pairing: Pairing, key: PreparedKey, capacity: number): BatchCheck {
  const { curve, isProductOne } = pairing
  const { run, memory } = curve
  const endomorphism = createEndomorphism(curve)
  const sumMultiples = createSumMultiples(curve, endomorphism, capacity)
  const scaledJacobian = memory.allocate(capacity * SIZE.g1Jacobian)
  const scaledAffine = memory.allocate(capacity * SIZE.g1Affine)
  const sum = memory.allocate(SIZE.g1Jacobian)
  const [alpha, inputs, c] = [0, 1, 2].map(() => memory.allocate(SIZE.g1Affine)) as [number, number, number]

  /** Σ rᵢ·(IC₀ + Σⱼ sᵢⱼ·ICⱼ), with the scalars of each IC point added up first. */
  function sumInputs(proofs: readonly RandomizedProof[], total: bigint): void {
    run.g1m_zero(sum)
    key.inputs[0]?.addMultiple(total, sum)
    for (let index = 0; index < key.signalCount; index++) {
      let scalar = 0n
      for (const { proof, multiplier } of proofs) scalar += multiplier.value * (proof.signals[index] ?? 0n)
      key.inputs[index + 1]?.addMultiple(scalar % FIELD_ORDER, sum)
    }
    run.g1m_toAffine(sum, inputs)
  }

  return {
    randomize(proofs) {
      const multipliers = drawMultipliers(proofs.length)
      const randomized = proofs.map((proof, index) => {
        const multiplier = multipliers[index] as Multiplier
        endomorphism.multiply(proof.slot.negatedA, multiplier, scaledJacobian + index * SIZE.g1Jacobian)
        return { proof, multiplier, scaledA: scaledAffine + index * SIZE.g1Affine }
      })
      run.g1m_batchToAffine(scaledJacobian, proofs.length, scaledAffine)
      return randomized
    },

    areAllRight(proofs) {
      const total = proofs.reduce((sum, { multiplier }) => sum + multiplier.value, 0n) % FIELD_ORDER
      run.g1m_zero(sum)
      key.alpha.addMultiple(total, sum)
      run.g1m_toAffine(sum, alpha)
      sumInputs(proofs, total)
      sumMultiples(
        proofs.map(({ proof, multiplier }) => ({ point: proof.slot.c, multiplier })),
        sum,
      )
      run.g1m_toAffine(sum, c)
      return isProductOne([
        ...proofs.map(({ proof, scaledA }) => ({ g1: scaledA, preparedG2: proof.slot.preparedB })),
        { g1: alpha, preparedG2: key.preparedBeta },
        { g1: inputs, preparedG2: key.preparedGamma },
        { g1: c, preparedG2: key.preparedDelta },
      ])
    },
  }
}

const SCALAR_BYTES = 8
const SCALAR_BITS = 8 * SCALAR_BYTES

/** Returns the fastest window width of the bucket method for a number of points. */
function windowBits(points: number): number {
  if (points < 8) return 2
  if (points < 32) return 3
  return points < 128 ? 5 : 6
}

/** Writes Σ multiplierᵢ·pointᵢ (Jacobian) of at most the capacity's number of affine points of G1. */
type SumMultiples = (terms: readonly { point: number; multiplier: Multiplier }[], sum: number) => void

/** Pippenger's bucket method over the points and their images under φ, so that scalars have 64 bits only. */
function createSumMultiples(curve: Curve, endomorphism: Endomorphism, capacity: number): SumMultiples {
  const { run, memory } = curve
  const points = memory.allocate(2 * capacity * SIZE.g1Affine)
  const scalars = memory.allocate(2 * capacity * SCALAR_BYTES)
  const windowSum = memory.allocate(SIZE.g1Jacobian)

  return (terms, sum) => {
    for (const [index, { point, multiplier }] of terms.entries()) {
      const target = points + 2 * index * SIZE.g1Affine
      memory.copy(point, target, SIZE.g1Affine)
      endomorphism.map(point, target + SIZE.g1Affine)
      memory.writeLimb(scalars + 2 * index * SCALAR_BYTES, multiplier.low)
      memory.writeLimb(scalars + (2 * index + 1) * SCALAR_BYTES, multiplier.high)
    }
    const count = 2 * terms.length
    const width = windowBits(count)
    run.g1m_zero(sum)
    for (let window = Math.ceil(SCALAR_BITS / width) - 1; window >= 0; window--) {
      const start = window * width
      for (let bit = 0; bit < width; bit++) run.g1m_double(sum, sum)
      const bits = Math.min(width, SCALAR_BITS - start)
      run.g1m_multiexpAffine_chunk(points, scalars, SCALAR_BYTES, count, start, bits, windowSum)
      run.g1m_add(sum, windowSum, sum)
    }
  }
}
