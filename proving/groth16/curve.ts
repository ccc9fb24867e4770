import module from 'wasmcurves/build/bn128_wasm.js'
import { CurveMemory } from './curve-memory.ts'
import { encodeLaneField } from './lane-field.ts'
import { spliceFunctions, type Splice } from './splice-functions.ts'
import { BASE_FIELD_ORDER as q } from './field-order.ts'

/** The parameter x of BN254; the optimal ate pairing loops over 6x + 2. */
export const CURVE_PARAMETER = 4965661367192848881n

/** Bytes of the module's data types. Field elements are in Montgomery form, the real part first. */
export const SIZE = {
  fq: 32,
  fq2: 64,
  fq12: 384,
  g1Affine: 64,
  g1Jacobian: 96,
  g2Affine: 128,
  g2Jacobian: 192,
  line: 192,
  preparedG2: module.preQSize,
} as const

type Unary = (from: number, to: number) => void
type Binary = (left: number, right: number, to: number) => void
type Test = (value: number) => number

/** The functions of the module that are used here; every argument is an address unless it is named otherwise. */
export interface CurveFunctions {
  f1m_toMontgomery: Unary
  f1m_neg: Unary
  f1m_square: Unary
  f1m_copy: Unary
  f1m_mul: Binary
  f2m_add: Binary
  f2m_mul: Binary
  /** (Fq2, Fq) → Fq2 */
  f2m_mul1: Binary
  f2m_one: (to: number) => void
  f2m_conjugate: Unary
  f2m_isZero: Test
  g1m_zero: (to: number) => void
  g1m_add: Binary
  /** (Jacobian, affine) → Jacobian */
  g1m_addMixed: Binary
  g1m_double: Unary
  g1m_negAffine: Unary
  g1m_toAffine: Unary
  g1m_toJacobian: Unary
  g1m_inCurveAffine: Test
  g1m_isZeroAffine: Test
  g1m_batchToAffine: (jacobians: number, count: number, affines: number) => void
  g1m_multiexpAffine_chunk: (
    points: number,
    scalars: number,
    scalarBytes: number,
    count: number,
    startBit: number,
    bitCount: number,
    to: number,
  ) => void
  g2m_inCurveAffine: Test
  g2m_isZeroAffine: Test
  ftm_one: (to: number) => void
  ftm_isOne: Test
  ftm_mul: Binary
  ftm_square: Unary
  bn128_prepareG2: Unary
  /** Multiplies an Fq12 element in place by the sparse element of a line. */
  bn128__mulBy024: (ell0: number, ellVW: number, ellVV: number, product: number) => void
  bn128_finalExponentiation: Unary
}

/** BN254 in WebAssembly: single-threaded and synchronous, with a memory of its own. */
export interface Curve {
  run: CurveFunctions
  memory: CurveMemory
}

/** Memory pages that the module requires. */
const INITIAL_PAGES = 25

/**
 * Compiles the curve module with the faster field of lane-field.ts. It uses the original field where the engine cannot
 * compile the faster one, or calculates otherwise with it.
 */
export async function compileCurve(
  code: Uint8Array<ArrayBuffer> = Buffer.from(module.code, 'base64'),
  splice: Splice = encodeLaneField(),
): Promise<{ module: WebAssembly.Module; isFast: boolean }> {
  const plain = await WebAssembly.compile(code)
  const fast = await WebAssembly.compile(spliceFunctions(code, splice)).catch(() => null)
  const isFast = fast !== null && (await areFieldsAlike(plain, fast))
  return { module: isFast ? fast : plain, isFast }
}

/** Compiles the module and gives it a memory. */
export async function instantiateCurve(): Promise<Curve> {
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES })
  const compiled = await compileCurve()
  const { exports } = await WebAssembly.instantiate(compiled.module, { env: { memory } })
  return { run: exports as unknown as CurveFunctions, memory: new CurveMemory(memory) }
}

/** Writes an integer below q as a field element in Montgomery form. */
export function writeFq(curve: Curve, address: number, value: bigint): void {
  curve.memory.writeInteger(address, value)
  curve.run.f1m_toMontgomery(address, address)
}

/** Allocates and writes a constant of Fq2, given as [real, imaginary]. */
export function allocateFq2(curve: Curve, [real, imaginary]: readonly [bigint, bigint]): number {
  const address = curve.memory.allocate(SIZE.fq2)
  writeFq(curve, address, real)
  writeFq(curve, address + SIZE.fq, imaginary)
  return address
}

/** Number of operands of each function, each in two parts, before the result. */
const FUNCTIONS = { f1m_mul: 2, f1m_square: 1, f2m_mul: 2, f2m_mul1: 2, f2m_square: 1 } as const
const MEMORY_PAGES = 25
const PART = 32
const ELEMENT = 2 * PART
const WORDS = [0, 1, 2, 3] as const

/** Numbers whose limbs of 51 or 64 bits are empty or full, and numbers without a pattern. */
const OPERANDS: readonly bigint[] = [
  0n,
  1n,
  q - 1n,
  q >> 1n,
  1n << 51n,
  (1n << 51n) - 1n,
  (1n << 153n) - 1n,
  (1n << 253n) - (1n << 204n),
  ...Array.from({ length: 24 }, (_, index) => (3n ** 161n * 7n ** BigInt(index)) % q),
]

type Run = (...addresses: number[]) => void

async function open(module: WebAssembly.Module) {
  const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES })
  const { exports } = await WebAssembly.instantiate(module, { env: { memory } })
  const words = new BigUint64Array(memory.buffer)
  // The module's first word is the address of the memory that it leaves free.
  const free = (new Uint32Array(memory.buffer)[0] ?? 0) & ~7
  return {
    calculate(name: keyof typeof FUNCTIONS, parts: readonly bigint[]): string {
      for (const [place, part] of parts.entries())
        for (const word of WORDS)
          words[(free + place * PART) / 8 + word] = BigInt.asUintN(64, part >> (64n * BigInt(word)))
      const count = FUNCTIONS[name]
      const addresses = Array.from({ length: count + 1 }, (_, index) => free + index * ELEMENT)
      ;(exports[name] as Run)(...addresses)
      const result = (free + count * ELEMENT) / 8
      return words.slice(result, result + ELEMENT / 8).join()
    },
  }
}

/**
 * True if two curve modules calculate alike in the base field. If a processor or an engine rounds a fused multiplication
 * twice, nearly every product differs.
 */
async function areFieldsAlike(left: WebAssembly.Module, right: WebAssembly.Module): Promise<boolean> {
  const [one, other] = await Promise.all([open(left), open(right)])
  return (Object.keys(FUNCTIONS) as (keyof typeof FUNCTIONS)[]).every((name) =>
    OPERANDS.every((_, index) => {
      const parts = [0, 7, 13, 22].map((step) => OPERANDS[(index + step) % OPERANDS.length] ?? 0n)
      return one.calculate(name, parts) === other.calculate(name, parts)
    }),
  )
}
