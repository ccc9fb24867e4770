import { z } from 'zod'
import { mapInSlices } from '../../relayer/concurrency/next-slice.ts'

/** The type of an answer for a value of a shape: the same value, read-only at every depth. */
export type Answer<Value> = Value extends Date
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Answer<Item>[]
    : Value extends object
      ? { readonly [Member in keyof Value]: Answer<Value[Member]> }
      : Value

/** The type that a service may return for a shape. */
export type AnswerOf<Shape extends z.ZodType> = Answer<z.output<Shape>>

export type Encode = (value: unknown) => unknown

/** Lists with more elements are encoded slice by slice. */
const SHORT = 16

/**
 * Builds the encoder of an answer's shape, once at start-up. It converts domain values (bigint, Date) to wire values
 * (decimal string, ISO 8601 text) and drops members that the shape does not list. Unlike `z.encode` it validates
 * nothing: the compiler has checked what the service returns, and validating every member again costs several times
 * as much.
 *
 * @throws Error for a shape with a one-way `transform`, which cannot be encoded.
 */
export function createEncoder<Shape extends z.ZodType>(
  shape: Shape,
): (answer: AnswerOf<Shape>) => z.input<Shape> {
  return (encoderOf(shape) ?? same) as (answer: AnswerOf<Shape>) => z.input<Shape>
}

/** As {@link createEncoder}, for a whole answer: other work runs in between where its lists are long. */
export function createAnswerEncoder(shape: z.core.$ZodType): (answer: unknown) => Promise<unknown> {
  const { def } = (shape as z.core.$ZodTypes)._zod
  if (def.type !== 'object') {
    const encode = encoderOf(shape) ?? same
    return async (answer) => encode(answer)
  }
  const members = Object.entries(def.shape).map(([name, member]) => ({
    name,
    encode: encoderOf(member) ?? same,
    element: elementEncoderOf(member),
  }))
  return async (answer) => {
    const given = answer as Record<string, unknown>
    const written: Record<string, unknown> = {}
    for (const { name, encode, element } of members) {
      const member = given[name]
      const encoded =
        element && Array.isArray(member) && member.length > SHORT
          ? await mapInSlices(member, element)
          : encode(member)
      if (encoded !== undefined) written[name] = encoded
    }
    return written
  }
}

/** The encoder of a list's elements, also of an optional or nullable list; null if nothing needs conversion. */
function elementEncoderOf(shape: z.core.$ZodType): Encode | null {
  const { def } = (shape as z.core.$ZodTypes)._zod
  if (def.type === 'array') return encoderOf(def.element)
  return def.type === 'optional' || def.type === 'nullable' || def.type === 'readonly'
    ? elementEncoderOf(def.innerType)
    : null
}

const same: Encode = (value) => value

/** The encoder of a part of a shape; null if the value is the same on the wire. */
export function encoderOf(shape: z.core.$ZodType): Encode | null {
  const { def } = (shape as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'readonly':
    case 'default':
    case 'prefault': {
      const inner = encoderOf(def.innerType)
      return inner && ((value) => (value === null || value === undefined ? value : inner(value)))
    }
    case 'array': {
      const element = encoderOf(def.element)
      return element && ((items) => (items as unknown[]).map((item) => element(item)))
    }
    case 'record': {
      const member = encoderOf(def.valueType)
      return member && ((record) => mapMembers(record as Record<string, unknown>, member))
    }
    case 'object':
      return objectEncoder(def.shape)
    case 'pipe':
      return pipeEncoder(def)
    case 'union':
    case 'intersection':
    case 'lazy':
    case 'tuple':
      return (value) => z.encode(shape as z.ZodType, value)
    default:
      return null
  }
}

function objectEncoder(members: Readonly<Record<string, z.core.$ZodType>>): Encode {
  const list = Object.entries(members).map(([name, member]) => ({ name, encode: encoderOf(member) }))
  return (value) => {
    const given = value as Record<string, unknown>
    const written: Record<string, unknown> = {}
    for (const { name, encode } of list) {
      const member = given[name]
      const text = encode === null ? member : encode(member)
      if (text !== undefined) written[name] = text
    }
    return written
  }
}

function mapMembers(record: Readonly<Record<string, unknown>>, encode: Encode): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, member]) => [name, encode(member)]))
}

const pipeEncoder = (def: z.core.$ZodPipeDef): Encode | null =>
  chain(chain(encoderOf(def.out), pipeConversion(def)), encoderOf(def.in))

/**
 * The conversion of a codec from its inner to its wire side; null for none.
 *
 * @throws Error for a one-way `transform`.
 */
export function pipeConversion(def: z.core.$ZodPipeDef): Encode | null {
  const convert = (def as Partial<z.core.$ZodCodecDef>).reverseTransform as Encode | undefined
  if (!convert && [def.in, def.out].some((side) => side._zod.def.type === 'transform'))
    throw new Error('the shape of an answer has a transform without a way back: make it a z.codec')
  return convert ?? null
}

/** Composes two conversions; null for none. */
export function chain(first: Encode | null, second: Encode | null): Encode | null {
  if (!first || !second) return first ?? second
  return (value) => second(first(value))
}
