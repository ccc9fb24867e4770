import { safeParse, type core } from 'zod'
import { inspectShape } from './inspect-shape.ts'

/**
 * Rewrites integers of an input to the form that its shape has: a number, or a string of decimal digits. Published wallets
 * send either, or 0x-hex. Any other value stays as it is, and the validation refuses it.
 */
export function readIntegers(shape: core.$ZodType, given: unknown): unknown {
  if (fits(shape, given)) return given
  const { base } = inspectShape(shape)
  const { def } = base._zod
  if (def.type === 'object' && isRecord(given)) {
    const members = def.shape
    return Object.fromEntries(
      Object.entries(given).map(([name, value]) => {
        const member = Object.hasOwn(members, name) ? members[name] : undefined
        return [name, member ? readIntegers(member, value) : value]
      }),
    )
  }
  if (def.type === 'array' && Array.isArray(given))
    return given.map((item) => readIntegers(def.element, item))
  const integer = integerOf(given)
  if (integer === null) return given
  return [Number(integer), String(integer)].find((form) => fits(shape, form)) ?? given
}

const fits = (shape: core.$ZodType, given: unknown) => safeParse(shape, given).success

const isRecord = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

/** Null for a number that JSON does not carry exactly, and for text in any other form. */
function integerOf(given: unknown): bigint | null {
  if (typeof given === 'number') return Number.isSafeInteger(given) && given >= 0 ? BigInt(given) : null
  const isInteger = typeof given === 'string' && /^(?:0|[1-9]\d{0,77}|0x[0-9a-fA-F]{1,64})$/.test(given)
  return isInteger ? BigInt(given) : null
}
