import { getRandomValues } from 'node:crypto'
import { FIELD_ORDER } from '../field-element.ts'
import { SIZE, writeFq, type Curve } from './curve.ts'

/**
 * The endomorphism φ(x, y) = (β·x, y) multiplies a point of G1 by λ. Here β³ = 1 in Fq and λ² + λ + 1 = 0 mod r (Gallant,
 * Lambert, Vanstone 2001).
 */
const BETA = 2203960485148121921418603742825762020974279258880205651966n
const LAMBDA = 4407920970296243842393367215006156084916469457145843978461n

/**
 * A random multiplier low + λ·high mod r with two independent halves of 64 bits.
 *
 * All 2^128 multipliers differ. If two agreed, their halves' differences (a, b) ≠ 0 would have a + λb = 0 mod r. Then r
 * would divide (a + λb)(a + λ²b) = a² − ab + b², which is positive and below 3·2^128.
 */
export interface Multiplier {
  low: bigint
  high: bigint
  /** low + λ·high mod r. */
  value: bigint
}

/** Draws fresh multipliers from the system's random source. */
export function drawMultipliers(count: number): Multiplier[] {
  const halves = getRandomValues(new BigUint64Array(2 * count))
  return Array.from({ length: count }, (_, index) => {
    const low = halves[2 * index] ?? 0n
    const high = halves[2 * index + 1] ?? 0n
    return { low, high, value: (low + LAMBDA * high) % FIELD_ORDER }
  })
}

/** Points of G1 times random multipliers, at half the doublings thanks to φ. */
export interface Endomorphism {
  /** Writes φ(point); both affine. */
  map(point: number, image: number): void
  /** Writes multiplier·point; from affine to Jacobian. */
  multiply(point: number, multiplier: Multiplier, product: number): void
}

/**
 * Prepares the curve's endomorphism φ(x, y) = (βx, y), which halves the doublings of a multiplication by a 128-bit
 * scalar.
 */
export function createEndomorphism(curve: Curve): Endomorphism {
  const { run, memory } = curve
  const beta = memory.allocate(SIZE.fq)
  const betaSquared = memory.allocate(SIZE.fq)
  writeFq(curve, beta, BETA)
  run.f1m_square(beta, betaSquared)
  const image = memory.allocate(SIZE.g1Affine)
  const sum = memory.allocate(SIZE.g1Affine)

  function map(point: number, to: number): void {
    run.f1m_mul(point, beta, to)
    run.f1m_copy(point + SIZE.fq, to + SIZE.fq)
  }

  return {
    map,
    multiply(point, { low, high }, product) {
      map(point, image)
      // P + φ(P) = −φ²(P), because 1 + λ + λ² = 0
      run.f1m_mul(point, betaSquared, sum)
      run.f1m_neg(point + SIZE.fq, sum + SIZE.fq)
      run.g1m_zero(product)
      for (const shift of [32n, 0n]) {
        const lowBits = Number((low >> shift) & 0xffff_ffffn)
        const highBits = Number((high >> shift) & 0xffff_ffffn)
        for (let bit = 31; bit >= 0; bit--) {
          run.g1m_double(product, product)
          const inLow = (lowBits >>> bit) & 1
          const inHigh = (highBits >>> bit) & 1
          if (inLow && inHigh) run.g1m_addMixed(product, sum, product)
          else if (inLow) run.g1m_addMixed(product, point, product)
          else if (inHigh) run.g1m_addMixed(product, image, product)
        }
      }
    },
  }
}
