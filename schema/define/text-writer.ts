import type { z } from 'zod'
import { createSlices } from '../../relayer/concurrency/next-slice.ts'
import { chain, encoderOf, pipeConversion } from './encode.ts'

/** A value of a member as JSON; undefined where the member is absent. */
type Write = (value: unknown) => string | undefined

/** Marked shapes, with the JSON text of each value that was written. */
const repeated = new WeakMap<z.core.$ZodType, WeakMap<object, string>>()

/** Marks a shape whose frozen values occur in several answers: the JSON of each value is made once in its lifetime. */
export function writtenOnce<Shape extends z.core.$ZodType>(shape: Shape): Shape {
  repeated.set(shape, new WeakMap())
  return shape
}

/** Longer lists are written to bytes directly. */
const SHORT = 16

/** An answer as JSON; a long one as its bytes. */
export type AnswerText = string | Buffer

/**
 * Builds the JSON writer of an answer, once at start-up. Its text equals JSON.stringify of the shape's encoder output,
 * but skips that intermediate copy. Long lists among the members of the answer are written slice by slice, so that
 * other requests run in between.
 */
export function createTextWriter(shape: z.core.$ZodType): (answer: unknown) => Promise<AnswerText> {
  const { def } = (shape as z.core.$ZodTypes)._zod
  if (def.type !== 'object') {
    const write = writerOf(shape)
    return async (answer) => write(answer) ?? 'null'
  }
  const write = answerWriter(membersOf(def.shape))
  if (!repeated.has(shape)) return write
  const kept = new WeakMap<object, AnswerText>()
  return async (answer) => {
    if (typeof answer !== 'object' || answer === null) return write(answer)
    const text = kept.get(answer) ?? (await write(answer))
    kept.set(answer, text)
    return text
  }
}

function answerWriter(members: ReturnType<typeof membersOf>): (answer: unknown) => Promise<AnswerText> {
  return async (answer) => {
    const given = answer as Record<string, unknown>
    let bytes: TextBytes | null = null
    let text = '{'
    for (const [place, { name, prefix, write, element }] of members.entries()) {
      const member = given[name]
      const separator = place === 0 || text === '{' ? '' : ','
      if (element && Array.isArray(member) && member.length > SHORT) {
        bytes ??= createTextBytes()
        bytes.add(`${text}${separator}${prefix}[`)
        await writeList(member, element, bytes)
        text = ']'
        continue
      }
      const written = write(member)
      if (written !== undefined) text += separator + prefix + written
    }
    text += '}'
    if (!bytes) return text
    bytes.add(text)
    return bytes.all()
  }
}

async function writeList(list: readonly unknown[], write: Write, bytes: TextBytes): Promise<void> {
  const paced = createSlices()
  for (const [place, item] of list.entries()) {
    bytes.add((place === 0 ? '' : ',') + (write(item) ?? 'null'))
    const turn = paced()
    if (turn) await turn
  }
}

/**
 * Collects text as bytes, piece by piece. In V8 a concatenated text stays a tree of its pieces until it is read. Each
 * garbage collection copied the trees of a long answer, which took most of the time.
 */
interface TextBytes {
  add(text: string): void
  all(): Buffer
}

const FIRST_BYTES = 32 * 1_024
const CHUNK_BYTES = 256 * 1_024

function createTextBytes(): TextBytes {
  const full: Buffer[] = []
  let chunk = Buffer.allocUnsafe(FIRST_BYTES)
  let end = 0
  return {
    add(text) {
      // A character of UTF-16 takes three bytes at most.
      if (chunk.length - end < text.length * 3) {
        full.push(chunk.subarray(0, end))
        chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, text.length * 3))
        end = 0
      }
      end += chunk.write(text, end)
    },
    all: () =>
      full.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...full, chunk.subarray(0, end)]),
  }
}

function membersOf(shape: Readonly<Record<string, z.core.$ZodType>>) {
  return Object.entries(shape).map(([name, member]) => ({
    name,
    prefix: `${JSON.stringify(name)}:`,
    /** After another member. */
    next: `,${JSON.stringify(name)}:`,
    write: writerOf(member),
    element: elementOf(member),
  }))
}

/** The writer of a list's elements, also of an optional or nullable list; null for other shapes. */
function elementOf(shape: z.core.$ZodType): Write | null {
  const { def } = (shape as z.core.$ZodTypes)._zod
  if (def.type === 'array') return writerOf(def.element)
  return def.type === 'optional' || def.type === 'nullable' || def.type === 'readonly'
    ? elementOf(def.innerType)
    : null
}

function writerOf(shape: z.core.$ZodType): Write {
  const write = writerOfShape(shape)
  const texts = repeated.get(shape)
  if (!texts) return write
  return (value) => {
    if (typeof value !== 'object' || value === null) return write(value)
    const known = texts.get(value)
    if (known !== undefined) return known
    const text = write(value)
    if (text !== undefined) texts.set(value, flatten(text))
    return text
  }
}

/** The same text in one piece: V8 flattens the tree of its pieces when a character is read. */
function flatten(text: string): string {
  text.charCodeAt(0)
  return text
}

function writerOfShape(shape: z.core.$ZodType): Write {
  const { def } = (shape as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'readonly':
    case 'default':
    case 'prefault': {
      const inner = writerOf(def.innerType)
      return (value) => (value === null ? 'null' : value === undefined ? undefined : inner(value))
    }
    case 'string':
    case 'enum':
      return writeString
    case 'number':
      return writeNumber
    case 'array': {
      const element = writerOf(def.element)
      return (items) => (Array.isArray(items) ? `[${join(items, element)}]` : JSON.stringify(items))
    }
    case 'object':
      return objectWriter(def.shape)
    case 'pipe': {
      const convert = chain(encoderOf(def.out), pipeConversion(def))
      const write = writerOf(def.in)
      return convert ? (value) => write(convert(value)) : write
    }
    default: {
      const encode = encoderOf(shape)
      return encode ? (value) => JSON.stringify(encode(value)) : (value) => JSON.stringify(value)
    }
  }
}

function objectWriter(shape: Readonly<Record<string, z.core.$ZodType>>): Write {
  const members = membersOf(shape)
  return (value) => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const given = value as Record<string, unknown>
    let text = '{'
    for (const { name, prefix, next, write } of members) {
      const written = write(given[name])
      if (written !== undefined) text = text + (text === '{' ? prefix : next) + written
    }
    return text + '}'
  }
}

function join(items: readonly unknown[], write: Write): string {
  let text = ''
  for (const [place, item] of items.entries()) text += (place === 0 ? '' : ',') + (write(item) ?? 'null')
  return text
}

/** Characters that JSON escapes: quotes, backslashes, control characters, and lone surrogates. */
const SPECIAL = /[^\u0020\u0021\u0023-\u005b\u005d-\ud7ff\ue000-\uffff]/

const writeString: Write = (value) =>
  typeof value === 'string' && !SPECIAL.test(value) ? `"${value}"` : JSON.stringify(value)

const writeNumber: Write = (value) =>
  typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0)
    ? String(value)
    : JSON.stringify(value)
