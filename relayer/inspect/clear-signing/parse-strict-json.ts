import { MOST_DEPTH } from './snapshot-files.ts'

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
/** A JSON object. */
export interface JsonObject {
  readonly [member: string]: Json
}

/** True if a value is an object and not an array. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Matches hidden characters: controls, formats (bidirectional, zero-width), lone surrogates, private use, unassigned,
 * line separators. Also matches blanks that count as letters.
 */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u2800\ufffd]/u
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g

/**
 * Parses JSON that every reader understands and displays alike. It is UTF-8, without duplicate members, `__proto__`
 * or hidden characters. Numbers must survive rounding, and nesting is at most 32 levels.
 *
 * @throws Error that names the fault.
 */
export function parseStrictJson(bytes: Uint8Array): Json {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  demandShape(text)
  const value = JSON.parse(text) as Json
  demandPlain(value)
  return value
}

/** Checks depth and member names by tokens alone; the parser rejects malformed JSON. */
function demandShape(text: string): void {
  const open: (Set<string> | null)[] = []
  let last = ''
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : null)
      if (open.length > MOST_DEPTH) throw new Error(`nested deeper than ${MOST_DEPTH} levels`)
    } else if (token === '}' || token === ']') open.pop()
    else if (token === ':') {
      const name = JSON.parse(last) as string
      const members = open.at(-1)
      if (members?.has(name)) throw new Error(`the member ${JSON.stringify(name)} comes twice`)
      if (name === '__proto__') throw new Error('a member is named __proto__')
      members?.add(name)
    }
    last = token
  }
}

function demandPlain(value: Json): void {
  if (typeof value === 'string') {
    if (HIDDEN.test(value))
      throw new Error(`${JSON.stringify(value.slice(0, 60))} has control or invisible characters`)
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
      throw new Error('a number is larger than readers keep exactly')
  } else if (Array.isArray(value)) value.forEach(demandPlain)
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) {
      demandPlain(name)
      demandPlain(member)
    }
}
