import module from 'wasmcurves/build/bn128_wasm.js'
import { CurveMemory } from './curve-memory.ts'
import { compileCurve } from './lane-field/compile-curve.ts'

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
  /** False where this machine cannot run the faster field, or the engine calculates otherwise with it. */
  hasFastField: boolean
}

/** Memory pages that the module requires. */
const INITIAL_PAGES = 25

/** Compiles the module and gives it a memory. */
export async function instantiateCurve(): Promise<Curve> {
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES })
  const compiled = await compileCurve()
  const { exports } = await WebAssembly.instantiate(compiled.module, { env: { memory } })
  return {
    run: exports as unknown as CurveFunctions,
    memory: new CurveMemory(memory),
    hasFastField: compiled.isFast,
  }
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
