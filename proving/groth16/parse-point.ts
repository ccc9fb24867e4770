import { SIZE, writeFq, type Curve } from './curve.ts'
import { parseG1Coordinates, parseG2Coordinates } from './proof-encoding.ts'

/** The reason of a refused point: not the canonical encoding of an affine point, or not a point of the curve. */
export type PointRefusal = 'encoding' | 'point'

function writeCoordinates(curve: Curve, address: number, coordinates: readonly bigint[]): void {
  for (const [index, value] of coordinates.entries()) writeFq(curve, address + index * SIZE.fq, value)
}

/** Writes `[x, y, "1"]` as an affine point of G1 and checks that it is on the curve and not infinity (G1 has cofactor 1). */
export function parseG1(curve: Curve, address: number, point: unknown): PointRefusal | null {
  const coordinates = parseG1Coordinates(point)
  if (!coordinates) return 'encoding'
  writeCoordinates(curve, address, coordinates)
  // the module reads (0, 0) as infinity, and infinity as a point of the curve
  if (curve.run.g1m_isZeroAffine(address) || !curve.run.g1m_inCurveAffine(address)) return 'point'
  return null
}

/**
 * Writes `[[x0, x1], [y0, y1], ["1", "0"]]` as a Jacobian point with z = 1 and checks that it is on the twist and not
 * infinity. Membership in G2 is a separate check: see isInSubgroup.
 */
export function parseG2(curve: Curve, address: number, point: unknown): PointRefusal | null {
  const coordinates = parseG2Coordinates(point)
  if (!coordinates) return 'encoding'
  writeCoordinates(curve, address, coordinates)
  if (curve.run.g2m_isZeroAffine(address) || !curve.run.g2m_inCurveAffine(address)) return 'point'
  curve.run.f2m_one(address + SIZE.g2Affine)
  return null
}
