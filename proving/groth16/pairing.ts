import { instantiateCurve, SIZE, type Curve } from './curve.ts'
import { createMultiMillerLoop, type PairingInput } from './miller-loop.ts'
import { parseG2, type PointRefusal } from './parse-point.ts'
import { createSubgroupCheck } from './subgroup-check.ts'

/** BN254 with its optimal ate pairing. */
export interface Pairing {
  curve: Curve
  /** Parses a point of G2 with every check, and prepares it for the Miller loop. */
  parseAndPrepareG2(point: number, prepared: number, coordinates: unknown): PointRefusal | 'subgroup' | null
  /** Writes the product of the pairs' Miller functions to an Fq12 element. */
  multiplyMiller(pairs: readonly PairingInput[], product: number): void
  /** True when the product of the pairs' pairings, times the Miller value at `factor` if there is one, is 1. */
  isProductOne(pairs: readonly PairingInput[], factor?: number): boolean
}

/** Compiles the curve module and allocates its memory for pairings. Create one per thread, since the memory is its own. */
export async function createPairing(): Promise<Pairing> {
  const curve = await instantiateCurve()
  const { run, memory } = curve
  const multiplyMiller = createMultiMillerLoop(curve)
  const { isInSubgroup } = createSubgroupCheck(curve)
  const product = memory.allocate(SIZE.fq12)

  return {
    curve,
    parseAndPrepareG2(point, prepared, coordinates) {
      const refusal = parseG2(curve, point, coordinates)
      if (refusal) return refusal
      run.bn128_prepareG2(point, prepared)
      return isInSubgroup(point, prepared) ? null : 'subgroup'
    },
    multiplyMiller,
    isProductOne(pairs, factor) {
      multiplyMiller(pairs, product)
      if (factor !== undefined) run.ftm_mul(product, factor, product)
      run.bn128_finalExponentiation(product, product)
      return run.ftm_isOne(product) === 1
    },
  }
}
