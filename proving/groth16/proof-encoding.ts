import { parseFieldElement } from '../field-element.ts'
import { BASE_FIELD_ORDER } from './field-order.ts'

/** q has 77 decimal digits. */
const DECIMAL = /^(?:0|[1-9][0-9]{0,76})$/

/** The members of a proof, not checked themselves. */
export interface ProofPoints {
  pi_a: unknown
  pi_b: unknown
  pi_c: unknown
}

/** Returns the points of a proof of Groth16 on bn128; null for anything else. */
export function parseProofPoints(proof: unknown): ProofPoints | null {
  if (typeof proof !== 'object' || proof === null) return null
  const { pi_a, pi_b, pi_c, protocol, curve } = proof as Record<string, unknown>
  return protocol === 'groth16' && curve === 'bn128' ? { pi_a, pi_b, pi_c } : null
}

/** Canonical decimals below r, exactly `count` of them; null for anything else. */
export function parseSignals(signals: unknown, count: number): bigint[] | null {
  if (!isArrayOf(signals, count)) return null
  const parsed = signals.map(parseFieldElement)
  return parsed.every((signal) => signal !== null) ? parsed.map(BigInt) : null
}

/** Returns x and y of `[x, y, "1"]`, canonical decimals below q; null for anything else. */
export function parseG1Coordinates(point: unknown): bigint[] | null {
  return isArrayOf(point, 3) && point[2] === '1' ? parseCoordinates([point[0], point[1]]) : null
}

/** Returns x0, x1, y0, y1 of `[[x0, x1], [y0, y1], ["1", "0"]]`, canonical decimals below q; null for anything else. */
export function parseG2Coordinates(point: unknown): bigint[] | null {
  if (!isArrayOf(point, 3)) return null
  const [x, y, z] = point
  if (!isArrayOf(x, 2) || !isArrayOf(y, 2) || !isArrayOf(z, 2)) return null
  return z[0] === '1' && z[1] === '0' ? parseCoordinates([...x, ...y]) : null
}

function parseCoordinates(texts: readonly unknown[]): bigint[] | null {
  const values: bigint[] = []
  for (const text of texts) {
    if (typeof text !== 'string' || !DECIMAL.test(text)) return null
    const value = BigInt(text)
    if (value >= BASE_FIELD_ORDER) return null
    values.push(value)
  }
  return values
}

function isArrayOf(value: unknown, length: number): value is readonly unknown[] {
  return Array.isArray(value) && value.length === length
}
