import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { instantiateCurve } from '../../../proving/groth16/curve.ts'
import { BASE_FIELD_ORDER as q } from '../../../proving/groth16/field-order.ts'
import { compileCurve } from '../../../proving/groth16/lane-field/compile-curve.ts'
import { encodeLaneField } from '../../../proving/groth16/lane-field/encode-lane-field.ts'

const WORD = (1n << 64n) - 1n
const R_INVERSE = power(1n << 256n, q - 2n)

function power(base: bigint, exponent: bigint): bigint {
  let [result, factor] = [1n, base % q]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * factor) % q
    factor = (factor * factor) % q
  }
  return result
}

const modulo = (value: bigint) => ((value % q) + q) % q
/** Montgomery's multiplication reduces a product to this. */
const reduced = (product: bigint) => (modulo(product) * R_INVERSE) % q

/** The generator of Park and Miller, so that a failure can be repeated. */
let seed = 20_261
const draw = () => (seed = (seed * 16_807) % 2_147_483_647)
const drawElement = () =>
  Array.from({ length: 9 }, draw).reduce((value, part) => (value << 31n) | BigInt(part), 0n) % q

const EDGES = [
  0n,
  1n,
  q - 1n,
  q - 2n,
  q >> 1n,
  (q >> 1n) + 1n,
  ...[51n, 64n, 102n, 128n, 153n, 204n, 253n].flatMap((bits) => [1n << bits, (1n << bits) - 1n]),
]
const pick = () => (draw() % 3 === 0 ? (EDGES[draw() % EDGES.length] as bigint) : drawElement())

const curve = await instantiateCurve()
const buffer = curve.memory.allocate(3 * 64)
const [left, right, result] = [buffer, buffer + 64, buffer + 128] as const

function write(address: number, parts: readonly bigint[]): void {
  for (const [index, part] of parts.entries()) curve.memory.writeInteger(address + 32 * index, part)
}

function read(address: number, parts: number): bigint[] {
  const byte = (at: number) => BigInt(curve.memory.readByte(at))
  return Array.from({ length: parts }, (_, part) =>
    Array.from({ length: 32 }, (__, index) => byte(address + 32 * part + index) << BigInt(8 * index)).reduce(
      (sum, value) => sum | value,
    ),
  )
}

const run = curve.run as unknown as Record<string, (...addresses: number[]) => void>
type Pair = [bigint, bigint]
const multiplied = ([a0, a1]: Pair, [b0, b1]: Pair) => [
  reduced(a0 * b0 - a1 * b1),
  reduced(a0 * b1 + a1 * b0),
]

test('the faster field is used on this machine', async () => {
  expect(await compileCurve()).toMatchObject({ isFast: true })
})

test('products and squares are exact and below q, on edges and at random, also in place', () => {
  for (let round = 0; round < 2_000; round += 1) {
    const [a, b] = [
      [pick(), pick()],
      [pick(), pick()],
    ] as [Pair, Pair]
    const results = {
      f2m_mul: multiplied(a, b),
      f2m_square: multiplied(a, a),
      f2m_mul1: [reduced(a[0] * b[0]), reduced(a[1] * b[0])],
      f1m_mul: [reduced(a[0] * b[0])],
      f1m_square: [reduced(a[0] * a[0])],
    }
    for (const [name, expected] of Object.entries(results))
      for (const to of [result, left]) {
        write(left, a)
        write(right, b)
        if (name.endsWith('square')) run[name]?.(left, to)
        else run[name]?.(left, right, to)
        const found = read(to, expected.length)
        if (found.join() !== expected.join()) expect([name, a, b, found]).toEqual([name, a, b, expected])
      }
  }
  expect(run).toHaveProperty('f2m_square')
})

test('a function of one element leaves the memory behind it alone', () => {
  write(result, [0n, WORD])
  write(left, [q - 1n, 0n])
  curve.run.f1m_mul(left, left, result)
  curve.run.f1m_square(left, result)
  expect(read(result, 2)).toEqual([reduced((q - 1n) ** 2n), WORD])
})

test('a field that cannot be compiled, or calculates otherwise, is not used', async () => {
  const splice = encodeLaneField()
  const isFast = async (name: string, body: readonly number[] = []) => {
    const functions = new Map(splice.functions).set(name, body)
    return (await compileCurve(undefined, { ...splice, functions })).isFast
  }
  // No such function, and one that reads three parameters of two.
  expect(await isFast('f3m_mul', splice.functions.get('f2m_mul'))).toBe(false)
  expect(await isFast('f2m_square', splice.functions.get('f2m_mul'))).toBe(false)
  expect(await isFast('f2m_mul', splice.functions.get('f1m_mul'))).toBe(false)
  const product = splice.functions.get('f2m_mul') ?? []
  expect(await isFast('f2m_mul', product)).toBe(true)
  const rounded = roundTwice(product, 3)
  expect(rounded.length).toBeGreaterThan(product.length)
  expect(await isFast('f2m_mul', rounded)).toBe(false)
})

test('a processor without fused multiplication verifies with the original field', async () => {
  const code = `
    const { createGroth16Verifier } = await import('./proving/groth16/groth16-verifier.ts')
    const { CIRCUIT_KEYS } = await import('./proving/groth16/verification-key.ts')
    const { loadProofs } = await import('./test/proving/groth16/load-proofs.ts')
    const { hasFastField, verify } = await createGroth16Verifier(CIRCUIT_KEYS, 1)
    const [proof, other] = loadProofs('withdraw')
    const wrong = { ...proof, publicSignals: other.publicSignals }
    const outcomes = [proof, wrong].map((one) => verify('withdraw', [one])[0])
    console.log(JSON.stringify({ hasFastField, outcomes }))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-enable-fma3', '--input-type=module', '-e', code],
    { cwd: fileURLToPath(new URL('../../../', import.meta.url)) },
  )
  expect(JSON.parse(stdout)).toEqual({
    hasFastField: process.arch !== 'x64',
    outcomes: [{ valid: true }, { valid: false, reason: 'equation' }],
  })
})

/** The body with each a·b + c as (a·b rounded) + c, as engines may do it that have no fused multiplication. */
function roundTwice(body: readonly number[], parameters: number): number[] {
  const split = (number: number) => [(number & 0x7f) | 0x80, number >> 7]
  // A group of locals, its size in two bytes; c waits in one more.
  const size = ((body[1] ?? 0) & 0x7f) | ((body[2] ?? 0) << 7)
  const local = split(size + parameters)
  const fused = [0xfd, 0x87, 0x02]
  const apart = [0x21, ...local, 0xfd, 0xf2, 0x01, 0x20, ...local, 0xfd, 0xf0, 0x01]
  const code: number[] = []
  for (let at = 3; at < body.length; at += 1) {
    const isFused = fused.every((byte, index) => body[at + index] === byte)
    code.push(...(isFused ? apart : [body[at] as number]))
    if (isFused) at += fused.length - 1
  }
  return [1, ...split(size + 1), ...code]
}
