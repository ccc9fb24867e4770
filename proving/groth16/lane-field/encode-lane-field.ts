import { BASE_FIELD_ORDER as q } from '../field-order.ts'
import type { Splice } from './splice-functions.ts'
import { Constants, floats, FunctionBody, lanes, type Code } from './wasm-code.ts'

/**
 * Arithmetic of Fq and Fq2 on two lanes of floating point, for the functions of the curve module that take most of its time.
 * An element is five limbs of 51 bits, and two fused multiplications split a product of limbs. Adding 3·2^102 rounds it to a
 * multiple of 2^51, and the rest is below 2^50 in size. Source, with other rounding: Emmart, Zheng and Weems, "Faster
 * modular exponentiation using double precision floating point arithmetic on the GPU" (ARITH 2018). Sums of both are formed
 * as integers: with a fixed exponent, the bits of a double count like an integer.
 *
 * Every value is exact. Multiplied limbs are below 2^51 in size, so their product is below 2^102, and sums of fewer than 2^6
 * parts are below 2^57. Inputs and results are below q, as the module's are.
 */

const LIMB_BITS = 51n
const LIMBS = 5
const LIMB = (1n << LIMB_BITS) - 1n
const INDEXES = [0, 1, 2, 3, 4] as const

/** The bits of a double. */
const bitsOf = (value: number) => new BigUint64Array(Float64Array.of(value).buffer)[0] ?? 0n

/** A product is added to this for its upper part: the unit in the last place is 2^51 up to 2^102 around it. */
const UPPER = 3 * 2 ** 102
/** The lower part is added to this: its unit in the last place is 1. */
const LOWER = 3 * 2 ** 51
/** An integer below 2^52 is put into the bits of this to become a double. */
const INTEGER = 2 ** 52

const UPPER_BITS = bitsOf(UPPER)
const LOWER_BITS = bitsOf(LOWER)
/** Keeps limbs positive while they are shifted; a multiple of 2^51. */
const BIAS = 1n << 62n

const limbsOf = (value: bigint) => INDEXES.map((index) => (value >> (LIMB_BITS * BigInt(index))) & LIMB)
const MODULUS = limbsOf(q)
const TWICE_MODULUS = limbsOf(2n * q)

/** −1/q modulo 2^51. */
const NEGATED_INVERSE = (() => {
  let inverse = 1n
  for (let step = 0; step < 6; step += 1) inverse = (inverse * (2n - q * inverse)) & LIMB
  return (LIMB + 1n - inverse) & LIMB
})()

const float = (body: FunctionBody, value: number) => body.often(bitsOf(value))
const floatOf = (body: FunctionBody, value: bigint) => float(body, Number(value))

/** The lanes of two elements at an address, as five integers each. */
function loadLimbs(body: FunctionBody, address: number, second: number): Code[] {
  const [low0, low1, high0, high1] = [0, second, 16, second + 16].map((offset) =>
    body.keep(lanes.load(address, offset)),
  ) as [Code, Code, Code, Code]
  const words = [
    lanes.pick(low0, low1, [0, 2]),
    lanes.pick(low0, low1, [1, 3]),
    lanes.pick(high0, high1, [0, 2]),
    lanes.pick(high0, high1, [1, 3]),
  ].map((word) => body.keep(word)) as [Code, Code, Code, Code]
  const [word0, word1, word2, word3] = words
  const across = (low: Code, right: number, high: Code, left: number) =>
    lanes.and(lanes.or(lanes.shiftRight(low, right), lanes.shiftLeft(high, left)), body.often(LIMB))
  return [
    lanes.and(word0, body.often(LIMB)),
    across(word0, 51, word1, 13),
    across(word1, 38, word2, 26),
    across(word2, 25, word3, 39),
    lanes.shiftRight(word3, 12),
  ].map((limb) => body.keep(limb))
}

const toFloat = (body: FunctionBody, limb: Code) =>
  floats.sub(lanes.or(limb, float(body, INTEGER)), float(body, INTEGER))
const toFloats = (body: FunctionBody, limbs: readonly Code[]) =>
  limbs.map((limb) => body.keep(toFloat(body, limb)))
const pickLanes = (body: FunctionBody, limbs: readonly Code[], picked: readonly [number, number]) =>
  limbs.map((limb) => body.keep(lanes.pick(limb, limb, picked)))

/** Brings limbs below 2^51 by carrying; the last limb stays. */
function carry(body: FunctionBody, limbs: readonly Code[]): Code[] {
  let carried: Code | null = null
  return limbs.map((limb, index) => {
    const sum = body.keep(carried ? lanes.add(limb, carried) : limb)
    carried = body.keep(lanes.shiftRight(sum, 51))
    return index === LIMBS - 1 ? sum : body.keep(lanes.and(sum, body.often(LIMB)))
  })
}

/** Ten limbs that products are added to. */
class Sum {
  readonly #body: FunctionBody
  /** Excess of the bits of the added doubles, and other wanted summands. */
  readonly #corrections = Array.from({ length: 2 * LIMBS + 1 }, () => 0n)
  readonly #sums: (Code | null)[] = Array.from({ length: 2 * LIMBS + 1 }, () => null)

  constructor(body: FunctionBody) {
    this.#body = body
  }

  #addBits(index: number, bits: Code, excess: bigint): void {
    this.#corrections[index] = (this.#corrections[index] ?? 0n) - excess
    const sum = this.#sums[index]
    if (sum) this.#body.change(sum, lanes.add(sum, bits))
    else this.#sums[index] = this.#body.keep(bits)
  }

  /** Adds left · right at a place, both floating point. */
  addProduct(index: number, left: Code, right: Code): void {
    const upper = this.#body.keep(floats.multiplyAdd(left, right, float(this.#body, UPPER)))
    const rest = floats.sub(float(this.#body, UPPER + LOWER), upper)
    this.#addBits(index, floats.multiplyAdd(left, right, rest), LOWER_BITS)
    this.#addBits(index + 1, upper, UPPER_BITS)
  }

  addProducts(left: readonly Code[], right: readonly Code[]): void {
    for (const i of INDEXES)
      for (const j of INDEXES) this.addProduct(i + j, left[i] as Code, right[j] as Code)
  }

  add(index: number, value: Code): void {
    this.#addBits(index, value, 0n)
  }

  addConstant(index: number, value: bigint): void {
    this.#corrections[index] = (this.#corrections[index] ?? 0n) + value
  }

  /** The sum so far at a place, corrected. */
  take(index: number): Code {
    const correction = this.#corrections[index] ?? 0n
    this.#corrections[index] = 0n
    const sum = this.#sums[index] ?? this.#body.constant(0n)
    const corrected = this.#body.keep(lanes.add(sum, this.#body.constant(correction)))
    this.#sums[index] = corrected
    return corrected
  }
}

/**
 * Montgomery's reduction by 2^255, a limb at a time with multiples of q between −2^50 and 2^50, then a halving. Together
 * that is the 2^256 of the module.
 *
 * A sum between −q² and 2q² becomes one between −0.88q and 1.26q. With q added it is positive; the even one of it and it
 * plus q is halved to below 1.63q.
 */
function reduceAndStore(body: FunctionBody, sum: Sum, address: number, second: number | null): void {
  for (const i of INDEXES) {
    const low = toFloat(body, lanes.and(sum.take(i), body.often(LIMB)))
    const limb = body.keep(low)
    const upper = floats.multiplyAdd(limb, floatOf(body, NEGATED_INVERSE), float(body, UPPER))
    const lower = floats.multiplyAdd(
      limb,
      floatOf(body, NEGATED_INVERSE),
      floats.sub(float(body, UPPER + LOWER), upper),
    )
    const factor = body.keep(floats.sub(lower, float(body, LOWER)))
    for (const j of INDEXES) sum.addProduct(i + j, factor, floatOf(body, MODULUS[j] as bigint))
    sum.addConstant(i, BIAS)
    sum.addConstant(i + 1, -(BIAS >> LIMB_BITS))
    sum.add(i + 1, lanes.shiftRight(sum.take(i), 51))
  }
  for (const i of INDEXES) {
    sum.addConstant(LIMBS + i, MODULUS[i] as bigint)
    if (i === LIMBS - 1) continue
    sum.addConstant(LIMBS + i, BIAS)
    sum.addConstant(LIMBS + i + 1, -(BIAS >> LIMB_BITS))
  }
  const limbs = INDEXES.map((i) => sum.take(LIMBS + i))
  const isOdd = body.keep(lanes.sub(body.constant(0n), lanes.and(limbs[0] as Code, body.constant(1n))))
  const even = carry(
    body,
    limbs.map((limb, i) => lanes.add(limb, lanes.and(isOdd, body.constant(MODULUS[i] as bigint)))),
  )
  storeHalf(body, subtractTwice(body, even), address, second)
}

/** Subtracts 2q where the value is not below that. */
function subtractTwice(body: FunctionBody, limbs: readonly Code[]): Code[] {
  let borrow: Code | null = null
  const less = limbs.map((limb, i) => {
    const difference = lanes.sub(limb, body.constant(TWICE_MODULUS[i] as bigint))
    const whole = body.keep(borrow ? lanes.add(difference, borrow) : difference)
    borrow = body.keep(lanes.isLess(whole, body.constant(0n)))
    return body.keep(lanes.and(whole, body.often(LIMB)))
  })
  const isLess = borrow ?? body.constant(0n)
  return limbs.map((limb, i) => body.keep(lanes.select(limb, less[i] as Code, isLess)))
}

/** Stores half of each lane at its address, in words of 64 bits. */
function storeHalf(body: FunctionBody, limbs: readonly Code[], address: number, second: number | null): void {
  const [limb0, limb1, limb2, limb3, limb4] = limbs as [Code, Code, Code, Code, Code]
  const across = (low: Code, right: number, high: Code, left: number) =>
    body.keep(lanes.or(lanes.shiftRight(low, right), lanes.shiftLeft(high, left)))
  const words = [
    across(limb0, 1, limb1, 50),
    across(limb1, 14, limb2, 37),
    across(limb2, 27, limb3, 24),
    across(limb3, 40, limb4, 11),
  ] as [Code, Code, Code, Code]
  const [word0, word1, word2, word3] = words
  body.run(lanes.store(address, 0, lanes.pick(word0, word1, [0, 2])))
  body.run(lanes.store(address, 16, lanes.pick(word2, word3, [0, 2])))
  if (second === null) return
  body.run(lanes.store(address, second, lanes.pick(word0, word1, [1, 3])))
  body.run(lanes.store(address, second + 16, lanes.pick(word2, word3, [1, 3])))
}

const ELEMENT = 32
const SIGN = 1n << 63n

/** (a₀ + a₁u)(b₀ + b₁u), u² = −1. */
function multiplyFq2(constants: Constants): FunctionBody {
  const body = new FunctionBody(constants, 3)
  const left = toFloats(body, loadLimbs(body, 0, ELEMENT))
  const right = toFloats(body, loadLimbs(body, 1, ELEMENT))
  const sum = new Sum(body)
  sum.addProducts(pickLanes(body, left, [0, 2]), right)
  const imaginary = pickLanes(body, left, [1, 3]).map((limb) =>
    body.keep(lanes.xor(limb, body.constant(SIGN, 0n))),
  )
  sum.addProducts(imaginary, pickLanes(body, right, [1, 2]))
  reduceAndStore(body, sum, 2, ELEMENT)
  return body
}

/** (a₀ + a₁)(a₀ − a₁) and 2a₁ · a₀. */
function squareFq2(constants: Constants): FunctionBody {
  const body = new FunctionBody(constants, 2)
  const limbs = loadLimbs(body, 0, ELEMENT)
  const imaginary = pickLanes(body, limbs, [1, 3])
  const sums = carry(
    body,
    limbs.map((limb, i) => lanes.add(limb, imaginary[i] as Code)),
  )
  const subtracted = toFloats(body, imaginary).map((limb) =>
    lanes.and(limb, body.constant(0xffff_ffff_ffff_ffffn, 0n)),
  )
  const differences = toFloats(body, pickLanes(body, limbs, [0, 2])).map((limb, i) =>
    body.keep(floats.sub(limb, subtracted[i] as Code)),
  )
  const sum = new Sum(body)
  sum.addProducts(toFloats(body, sums), differences)
  reduceAndStore(body, sum, 1, ELEMENT)
  return body
}

/** (a₀ + a₁u) · b. */
function scaleFq2(constants: Constants): FunctionBody {
  const body = new FunctionBody(constants, 3)
  const sum = new Sum(body)
  sum.addProducts(toFloats(body, loadLimbs(body, 0, ELEMENT)), toFloats(body, loadLimbs(body, 1, 0)))
  reduceAndStore(body, sum, 2, ELEMENT)
  return body
}

function multiplyFq(constants: Constants): FunctionBody {
  const body = new FunctionBody(constants, 3)
  const sum = new Sum(body)
  sum.addProducts(toFloats(body, loadLimbs(body, 0, 0)), toFloats(body, loadLimbs(body, 1, 0)))
  reduceAndStore(body, sum, 2, null)
  return body
}

function squareFq(constants: Constants): FunctionBody {
  const body = new FunctionBody(constants, 2)
  const limbs = toFloats(body, loadLimbs(body, 0, 0))
  const sum = new Sum(body)
  sum.addProducts(limbs, limbs)
  reduceAndStore(body, sum, 1, null)
  return body
}

/** The functions of the curve module that have another body here, encoded. */
export function encodeLaneField(): Splice {
  const constants = new Constants()
  const bodies = {
    f1m_mul: multiplyFq(constants),
    f1m_square: squareFq(constants),
    f2m_mul: multiplyFq2(constants),
    f2m_mul1: scaleFq2(constants),
    f2m_square: squareFq2(constants),
  }
  const functions = new Map(Object.entries(bodies).map(([name, body]) => [name, body.encode()]))
  return { functions, globals: constants.encode() }
}
