import { SIZE, writeFq, type Curve } from './curve.ts'
import { BASE_FIELD_ORDER } from './field-order.ts'

/** The reason of a refused point: not the canonical encoding of an affine point, or not a point of the curve. */
export type PointRefusal = 'encoding' | 'point'

/** q has 77 decimal digits. */
const DECIMAL = /^(?:0|[1-9][0-9]{0,76})$/

/** Writes a canonical decimal below q; returns false for anything else, and then leaves the memory unchanged. */
function writeCoordinate(curve: Curve, address: number, text: unknown): boolean {
  if (typeof text !== 'string' || !DECIMAL.test(text)) return false
  const value = BigInt(text)
  if (value >= BASE_FIELD_ORDER) return false
  writeFq(curve, address, value)
  return true
}

function isArrayOf(value: unknown, length: number): value is readonly unknown[] {
  return Array.isArray(value) && value.length === length
}

/** Writes `[x, y, "1"]` as an affine point of G1 and checks that it is on the curve and not infinity (G1 has cofactor 1). */
export function parseG1(curve: Curve, address: number, point: unknown): PointRefusal | null {
  if (!isArrayOf(point, 3) || point[2] !== '1') return 'encoding'
  const written =
    writeCoordinate(curve, address, point[0]) && writeCoordinate(curve, address + SIZE.fq, point[1])
  if (!written) return 'encoding'
  // the module reads (0, 0) as infinity, and infinity as a point of the curve
  if (curve.run.g1m_isZeroAffine(address) || !curve.run.g1m_inCurveAffine(address)) return 'point'
  return null
}

/**
 * Writes `[[x0, x1], [y0, y1], ["1", "0"]]` as a Jacobian point with z = 1 and checks that it is on the twist and not
 * infinity. Membership in G2 is a separate check: see isInSubgroup.
 */
export function parseG2(curve: Curve, address: number, point: unknown): PointRefusal | null {
  if (!isArrayOf(point, 3)) return 'encoding'
  const [x, y, z] = point
  if (!isArrayOf(x, 2) || !isArrayOf(y, 2) || !isArrayOf(z, 2)) return 'encoding'
  if (z[0] !== '1' || z[1] !== '0') return 'encoding'
  const written = [x[0], x[1], y[0], y[1]].every((text, index) =>
    writeCoordinate(curve, address + index * SIZE.fq, text),
  )
  if (!written) return 'encoding'
  if (curve.run.g2m_isZeroAffine(address) || !curve.run.g2m_inCurveAffine(address)) return 'point'
  curve.run.f2m_one(address + SIZE.g2Affine)
  return null
}
