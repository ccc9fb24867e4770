import { isCanonicalSignature } from '../function-signatures/canonical-signature.ts'

const NAME = /\s*([A-Za-z_$][\w$]*)\s*(?=\()/y
/** Before a tuple, or a type of its own. */
const TYPE = /\s*(?:(?:tuple\s*)?(?=\()|([a-z]+\d*))/y
const ARRAYS = /(?:\s*\[\d{0,9}\])*/y
/** The place where data is, and the parameter's name. */
const WORDS = /(?:\s+[A-Za-z_$][\w$]*){0,3}\s*/y
const MOST_NESTED = 8

/** Where a reading stands. */
interface Reading {
  text: string
  at: number
}

/**
 * A function as its selector is computed from, out of one with spaces, names and aliases:
 * `transfer(address to, uint amount)` becomes `transfer(address,uint256)`. It keeps nothing, unlike abitype's parser, whose
 * cache would grow with whatever strangers send.
 *
 * @throws Error when it is none.
 */
export function canonicalFunction(text: string): string {
  const reading: Reading = { text, at: 0 }
  const name = take(reading, NAME)?.[1]
  if (name === undefined) throw new Error('a format is no function')
  const signature = name + readTypes(reading, 0)
  if (text.slice(reading.at).trim() !== '' || !isCanonicalSignature(signature))
    throw new Error('a format is no function')
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
    if (next !== '(' && next !== ',') throw new Error('a format is no function')
    reading.at += 1
    types.push(readType(reading, depth))
  }
  reading.at += 1
  return `(${types.join(',')})`
}

function readType(reading: Reading, depth: number): string {
  const type = take(reading, TYPE)
  if (!type) throw new Error('a format is no function')
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
