import { beforeAll, expect, test } from 'vitest'
import { FIELD_ORDER as r } from '../../../proving/field-element.ts'
import { CURVE_PARAMETER as x, SIZE } from '../../../proving/groth16/curve.ts'
import { BASE_FIELD_ORDER as q } from '../../../proving/groth16/field-order.ts'
import { createGroth16Verifier } from '../../../proving/groth16/groth16-verifier.ts'
import { createPairing, type Pairing } from '../../../proving/groth16/pairing.ts'
import { G2, multiplyFreely, pickTwistPoint, readG2, writeG2, type G2Point } from './bn254-points.ts'
import { loadProofs } from './load-proofs.ts'
import { CIRCUIT_KEYS } from '../../../proving/groth16/verification-key.ts'

/** The twist's order is r times this cofactor; these are its prime factors. */
const cofactor = 2n * q - r
const cofactorPrimes = [
  10069n,
  5864401n,
  1875725156269n,
  197620364512881247228717050342013327560683201906968909n,
]

let pairing: Pairing
let point: number
let prepared: number
beforeAll(async () => {
  pairing = await createPairing()
  point = pairing.curve.memory.allocate(SIZE.g2Jacobian)
  prepared = pairing.curve.memory.allocate(SIZE.preparedG2)
})

const check = (candidate: G2Point) => pairing.parseAndPrepareG2(point, prepared, writeG2(candidate))

function greatestCommonDivisor(left: bigint, right: bigint): bigint {
  let [a, b] = [left < 0n ? -left : left, right]
  while (b > 0n) [a, b] = [b, a % b]
  return a
}

/** Norm of c₀ + c₁ψ + c₂ψ² + c₃ψ³, which is the number of points that it sends to O; ψ² = tψ − q. */
function normOf([c0, c1, c2, c3]: readonly [bigint, bigint, bigint, bigint]): bigint {
  const t = q + 1n - r
  const a = c1 + c2 * t + c3 * (t * t - q)
  const b = c0 - c2 * q - c3 * t * q
  return a * a * q + a * b * t + b * b
}

test("the subgroup check's arithmetic agrees with scalar multiplication", () => {
  const loop = 6n * x + 2n
  // On G2, ψ is multiplication by q, and the sum is zero.
  expect((loop + q - q ** 2n + q ** 3n) % r).toBe(0n)
  // It maps no other point of the twist to zero.
  expect(greatestCommonDivisor(normOf([loop, 1n, -1n, 1n]), cofactor)).toBe(1n)
  // ψ³(Q) is neither of the two points that span the last line
  expect(greatestCommonDivisor(normOf([-loop, -1n, 0n, 1n]), r * cofactor)).toBe(1n)
  expect(greatestCommonDivisor(normOf([0n, 0n, 1n, 1n]), r * cofactor)).toBe(1n)
  // On G2 those two are neither equal nor opposite, so the line is well defined.
  expect((loop + q - q ** 2n) % r).not.toBe(0n)
  expect((loop + q + q ** 2n) % r).not.toBe(0n)
  expect(cofactorPrimes.reduce((product, prime) => product * prime, 1n)).toBe(cofactor)
})

test('points of G2 pass', () => {
  for (let scalar = 1n; scalar < 40n; scalar++) expect(check(G2.BASE.multiply(scalar))).toBeNull()
  for (let power = 5n; power < 250n; power += 9n)
    expect(check(G2.BASE.multiply(r - (1n << power)))).toBeNull()
})

test('points of the twist outside G2 fail', () => {
  for (let seed = 1n; seed <= 40n; seed++) expect(check(pickTwistPoint(seed))).toBe('subgroup')
})

test.each(cofactorPrimes)('points of order %s fail, alone or added to a point of G2', (prime) => {
  const small = multiplyFreely(pickTwistPoint(7n), (r * cofactor) / prime)
  expect(small.is0()).toBe(false)
  expect(multiplyFreely(small, prime).is0()).toBe(true)
  for (const multiple of [1n, 2n, 3n, prime - 1n]) {
    expect(check(multiplyFreely(small, multiple))).toBe('subgroup')
    expect(check(multiplyFreely(small, multiple).add(G2.BASE))).toBe('subgroup')
  }
})

test('every multiple of a point of the smallest order is refused', () => {
  const [prime = 0n] = cofactorPrimes
  const small = multiplyFreely(pickTwistPoint(11n), (r * cofactor) / prime)
  let multiple = small
  for (let count = 0; count < 300; count++) {
    expect(check(multiple)).toBe('subgroup')
    multiple = multiple.add(small)
  }
})

test('a proof with a small-order point added to B is refused', async () => {
  const verifier = await createGroth16Verifier(CIRCUIT_KEYS, 2)
  const [vector] = loadProofs('withdraw')
  if (!vector) throw new Error('no vector')
  for (const prime of cofactorPrimes) {
    const small = multiplyFreely(pickTwistPoint(7n), (r * cofactor) / prime)
    const proof = { ...vector.proof, pi_b: writeG2(readG2(vector.proof.pi_b).add(small)) }
    const { publicSignals } = vector
    expect(verifier.verify('withdraw', [{ proof, publicSignals }])).toEqual([
      { valid: false, reason: 'subgroup' },
    ])
  }
})
