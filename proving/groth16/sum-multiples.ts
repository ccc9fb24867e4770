import { SIZE, type Curve } from './curve.ts'
import type { Endomorphism, Multiplier } from './random-multiplier.ts'

const SCALAR_BYTES = 8
const SCALAR_BITS = 8 * SCALAR_BYTES

/** Returns the fastest window width of the bucket method for a number of points. */
function windowBits(points: number): number {
  if (points < 8) return 2
  if (points < 32) return 3
  return points < 128 ? 5 : 6
}

/** Writes Σ multiplierᵢ·pointᵢ (Jacobian) of at most the capacity's number of affine points of G1. */
export type SumMultiples = (terms: readonly { point: number; multiplier: Multiplier }[], sum: number) => void

/** Pippenger's bucket method over the points and their images under φ, so that scalars have 64 bits only. */
export function createSumMultiples(curve: Curve, endomorphism: Endomorphism, capacity: number): SumMultiples {
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
