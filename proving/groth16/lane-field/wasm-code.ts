/** Instructions of WebAssembly in their binary form (WebAssembly Core Specification, section 5.4). */
export type Code = readonly number[]

/** An unsigned integer in LEB128. */
export function unsigned(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest]
    bytes.push((rest & 0x7f) | 0x80)
  }
}

/** A signed integer in LEB128. */
function signed(value: bigint): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7n) {
    const low = Number(rest & 0x7fn)
    if ((rest >> 7n === 0n && low < 0x40) || (rest >> 7n === -1n && low >= 0x40)) return [...bytes, low]
    bytes.push(low | 0x80)
  }
}

/** Eight little-endian bytes. */
function word(value: bigint): number[] {
  return [...new Uint8Array(BigUint64Array.of(value).buffer)]
}

const simd = (opcode: number): Code => [0xfd, ...unsigned(opcode)]
const binary = (operation: Code) => (left: Code, right: Code) => [...left, ...right, ...operation]
const shift = (operation: Code) => (value: Code, bits: number) => [
  ...value,
  0x41,
  ...signed(BigInt(bits)),
  ...operation,
]
const loading =
  (operation: Code) =>
  (address: number, offset: number): Code => [...get(address), ...operation, 0, ...unsigned(offset)]
const storing =
  (operation: Code) =>
  (address: number, offset: number, value: Code): Code => [
    ...get(address),
    ...value,
    ...operation,
    0,
    ...unsigned(offset),
  ]

/** The type of two lanes. */
const V128 = 0x7b

/** The value of a local. */
const get = (local: number): Code => [0x20, ...unsigned(local)]
const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)]

/** Two lanes of 64 bits. */
export const lanes = {
  load: loading(simd(0x00)),
  store: storing(simd(0x0b)),
  and: binary(simd(0x4e)),
  or: binary(simd(0x50)),
  xor: binary(simd(0x51)),
  /** Selects bits of the first where the mask has ones, else of the second. */
  select: (first: Code, second: Code, mask: Code): Code => [...first, ...second, ...mask, ...simd(0x52)],
  add: binary(simd(0xce)),
  sub: binary(simd(0xd1)),
  shiftLeft: shift(simd(0xcb)),
  shiftRight: shift(simd(0xcd)),
  /** All ones where the left is less, signed. */
  isLess: binary(simd(0xd8)),
  /** Lanes by number: 0 and 1 of the left, 2 and 3 of the right. */
  pick: (left: Code, right: Code, picked: readonly [number, number]): Code => [
    ...left,
    ...right,
    ...simd(0x0d),
    ...picked.flatMap((lane) => Array.from({ length: 8 }, (_, byte) => lane * 8 + byte)),
  ],
}

/** Two lanes of floating point. */
export const floats = {
  sub: binary(simd(0xf1)),
  /** left · right + added, rounded once where the processor can, which must be checked. */
  multiplyAdd: (left: Code, right: Code, added: Code): Code => [...left, ...right, ...added, ...simd(0x107)],
}

/**
 * Constants of two lanes in globals. V8 rebuilds a constant in the code at each use, by three instructions. The globals are
 * declared mutable, else V8 would inline them as code.
 */
export class Constants {
  readonly #places = new Map<string, number>()
  readonly #values: Code[] = []

  get(low: bigint, high: bigint = low): Code {
    const key = `${low},${high}`
    const place = this.#places.get(key) ?? this.#values.length
    if (!this.#places.has(key)) {
      this.#places.set(key, place)
      this.#values.push([V128, 1, ...simd(0x0c), ...word(low), ...word(high), 0x0b])
    }
    return [0x23, ...unsigned(place)]
  }

  /** The content of the section of globals. */
  encode(): number[] {
    return [...unsigned(this.#values.length), ...this.#values.flat()]
  }
}

/** A function's locals of two lanes behind its parameters, and the code that sets them one after the other. */
export class FunctionBody {
  readonly #constants: Constants
  readonly #parameters: number
  #locals = 0
  readonly #code: Code[] = []
  readonly #kept = new Map<string, Code>()
  readonly #first: Code[] = []

  constructor(constants: Constants, parameters: number) {
    this.#constants = constants
    this.#parameters = parameters
  }

  #open(): number {
    return this.#parameters + this.#locals++
  }

  /** Stores a value in a new local, and returns the code that reads it. */
  keep(value: Code): Code {
    const local = this.#open()
    this.#code.push(set(local, value))
    return get(local)
  }

  /** A constant in both lanes, or one for each, read at each use. */
  constant(low: bigint, high: bigint = low): Code {
    return this.#constants.get(BigInt.asUintN(64, low), BigInt.asUintN(64, high))
  }

  /** A frequently used constant: read once. */
  often(value: bigint): Code {
    const key = String(value)
    const known = this.#kept.get(key)
    if (known) return known
    const local = this.#open()
    this.#first.push(set(local, this.constant(value)))
    this.#kept.set(key, get(local))
    return get(local)
  }

  /** Assigns a new value to the local of {@link keep}. */
  change(kept: Code, value: Code): void {
    this.#code.push([...value, 0x21, ...kept.slice(1)])
  }

  run(code: Code): void {
    this.#code.push(code)
  }

  /** Encodes the body for the code section, without its size. */
  encode(): number[] {
    return [1, ...unsigned(this.#locals), V128, ...this.#first.flat(), ...this.#code.flat(), 0x0b]
  }
}
