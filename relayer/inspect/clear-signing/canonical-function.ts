import { isCanonicalSignature } from '../function-signatures/canonical-signature.ts'
import canonicalize from 'canonicalize'
import { keccak256, toHex, type Hex } from 'viem'
import type { JsonObject } from './parse-strict-json.ts'

const NAME = /\s*([A-Za-z_$][\w$]*)\s*(?=\()/y
/** Matches the start of a tuple, or an elementary type. */
const TYPE = /\s*(?:(?:tuple\s*)?(?=\()|([a-z]+\d*))/y
const ARRAYS = /(?:\s*\[\d{0,9}\])*/y
/** Matches a data location and a parameter's name. */
const WORDS = /(?:\s+[A-Za-z_$][\w$]*){0,3}\s*/y
const MOST_NESTED = 8

/** The state of the parser. */
interface Reading {
  text: string
  at: number
}

/**
 * Converts a function with spaces, names and aliases into the form that its selector is computed from:
 * `transfer(address to, uint amount)` becomes `transfer(address,uint256)`. It caches nothing: the cache of abitype's
 * parser would grow with strangers' input.
 *
 * @throws Error if the text is not a function signature.
 */
export function canonicalFunction(text: string): string {
  const reading: Reading = { text, at: 0 }
  const name = take(reading, NAME)?.[1]
  if (name === undefined) throw new Error('a format is not a function signature')
  const signature = name + readTypes(reading, 0)
  if (text.slice(reading.at).trim() !== '' || !isCanonicalSignature(signature))
    throw new Error('a format is not a function signature')
  return signature
}

function readTypes(reading: Reading, depth: number): string {
  if (depth > MOST_NESTED) throw new Error(`a format is nested deeper than ${MOST_NESTED} levels`)
  const types: string[] = []
  if (/^\(\s*\)/.test(reading.text.slice(reading.at, reading.at + 64))) {
    reading.at = reading.text.indexOf(')', reading.at) + 1
    return '()'
  }
  for (let next = '('; next !== ')'; next = reading.text[reading.at] ?? '') {
    if (next !== '(' && next !== ',') throw new Error('a format is not a function signature')
    reading.at += 1
    types.push(readType(reading, depth))
  }
  reading.at += 1
  return `(${types.join(',')})`
}

function readType(reading: Reading, depth: number): string {
  const type = take(reading, TYPE)
  if (!type) throw new Error('a format is not a function signature')
  const written = type[1] ?? readTypes(reading, depth + 1)
  const arrays = (take(reading, ARRAYS)?.[0] ?? '').replaceAll(/\s/g, '')
  take(reading, WORDS)
  return (written === 'uint' || written === 'int' ? `${written}256` : written) + arrays
}

function take(reading: Reading, form: RegExp): RegExpExecArray | null {
  form.lastIndex = reading.at
  const match = form.exec(reading.text)
  if (match) reading.at = form.lastIndex
  return match
}

/** A descriptor as it is stored and served. */
interface CanonicalDocument {
  /** Canonical JSON (RFC 8785). */
  text: string
  /** keccak256 of its UTF-8: the descriptorHash of ERC-8176 (draft), includes resolved. */
  hash: Hex
}

/** Serializes a descriptor so that every client computes the same hash of it. */
export function canonicalDocument(descriptor: JsonObject): CanonicalDocument {
  const text = canonicalize(descriptor)
  if (text === undefined) throw new Error('a descriptor cannot be written')
  return { text, hash: keccak256(toHex(text)) }
}
