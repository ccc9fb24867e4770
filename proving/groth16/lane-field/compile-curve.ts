import module from 'wasmcurves/build/bn128_wasm.js'
import { BASE_FIELD_ORDER as q } from '../field-order.ts'
import { encodeLaneField } from './encode-lane-field.ts'
import { spliceFunctions, type Splice } from './splice-functions.ts'

/**
 * Compiles the curve module with the faster field of encode-lane-field.ts. It uses the original field where the engine cannot
 * compile the faster one, or calculates otherwise with it.
 */
export async function compileCurve(
  code: Uint8Array<ArrayBuffer> = Buffer.from(module.code, 'base64'),
  splice: Splice = encodeLaneField(),
): Promise<{ module: WebAssembly.Module; isFast: boolean }> {
  const plain = await WebAssembly.compile(code)
  try {
    const fast = await WebAssembly.compile(spliceFunctions(code, splice))
    if (await areFieldsAlike(plain, fast)) return { module: fast, isFast: true }
  } catch {
    // The engine lacks an instruction, or the module has another form.
  }
  return { module: plain, isFast: false }
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
