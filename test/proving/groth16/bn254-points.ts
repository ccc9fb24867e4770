import { bn254 } from '@noble/curves/bn254.js'

const { Fp2 } = bn254.fields
export const G1 = bn254.G1.Point
export const G2 = bn254.G2.Point
export type G1Point = InstanceType<typeof G1>
export type G2Point = InstanceType<typeof G2>

/** Converts points between snarkjs's JSON and @noble/curves. */
export function readG1([x, y]: readonly string[]): G1Point {
  return G1.fromAffine({ x: BigInt(x ?? ''), y: BigInt(y ?? '') })
}

export function readG2([x, y]: readonly (readonly string[])[]): G2Point {
  const read = (pair: readonly string[] = []) =>
    Fp2.fromBigTuple([BigInt(pair[0] ?? ''), BigInt(pair[1] ?? '')])
  return G2.fromAffine({ x: read(x), y: read(y) })
}

export function writeG1(point: G1Point): string[] {
  const { x, y } = point.toAffine()
  return [`${x}`, `${y}`, '1']
}

export function writeG2(point: G2Point): string[][] {
  const { x, y } = point.toAffine()
  return [
    [`${x.c0}`, `${x.c1}`],
    [`${y.c0}`, `${y.c1}`],
    ['1', '0'],
  ]
}

/** Double-and-add for scalars that the library refuses because they are not below the group's order. */
export function multiplyFreely(point: G2Point, scalar: bigint): G2Point {
  let product = G2.ZERO
  for (const bit of scalar.toString(2)) {
    product = product.double()
    if (bit === '1') product = product.add(point)
  }
  return product
}

/** A point of the twist that is almost certainly outside G2; the same seed gives the same point. */
export function pickTwistPoint(seed: bigint): G2Point {
  // y² = x³ + 3/(9 + u)
  const b = Fp2.div(Fp2.fromBigTuple([3n, 0n]), Fp2.fromBigTuple([9n, 1n]))
  for (let real = seed; ; real += 1n) {
    const x = Fp2.fromBigTuple([real, seed])
    const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), b)
    try {
      return G2.fromAffine({ x, y: Fp2.sqrt(square) })
    } catch {
      // There is no root, so the next x is tried.
    }
  }
}
