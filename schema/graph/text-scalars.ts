import { GraphQLError } from 'graphql'
import type { GraphScalar } from '../define/graph-scalars.ts'

interface ScalarTerms {
  description: string
  specifiedByURL: string
}

/** The scalars for text. An operation checks its input by its shape, with the same message as by REST. */
export const TEXT_SCALARS: Readonly<Record<GraphScalar, ScalarTerms>> = {
  Address: {
    description:
      'An address: 0x and 40 hex digits, EIP-55 checksummed in answers; in inputs all lower case as well.',
    specifiedByURL: 'https://eips.ethereum.org/EIPS/eip-55',
  },
  Base64: {
    description: 'Bytes in base64 with padding.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc4648#section-4',
  },
  BigInt: {
    description:
      'An integer of any size as a string of decimal digits; inputs may be JSON numbers up to 2^53 − 1 as well.',
    specifiedByURL: 'https://www.w3.org/TR/xmlschema11-2/#integer',
  },
  DateTime: {
    description: 'A time, ISO 8601 in UTC with milliseconds: 2026-01-31T12:00:00.000Z.',
    specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  },
  Decimal: {
    description: 'A decimal number as a string, without an exponent. REST writes it as a JSON number.',
    specifiedByURL: 'https://www.w3.org/TR/xmlschema11-2/#decimal',
  },
  Hash: {
    description: 'A hash of 32 bytes: 0x and 64 hex digits.',
    specifiedByURL: 'https://ethereum.org/developers/docs/apis/json-rpc/#hex-encoding',
  },
  Hex: {
    description: 'Bytes: 0x and two hex digits for each.',
    specifiedByURL: 'https://ethereum.org/developers/docs/apis/json-rpc/#hex-encoding',
  },
  UUID: {
    description: 'A UUID in lower case; inputs may have upper case.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc9562',
  },
}

/** Specification of integers that a double holds exactly. */
export const SAFE_INTEGER_URL = 'https://tc39.es/ecma262/#sec-number.issafeinteger'
/** Specification of JSON. */
export const JSON_URL = 'https://www.rfc-editor.org/rfc/rfc8259'

/** Writes text as it is, and a number without an exponent. */
export function writeScalarText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return writeDecimal(value)
  if (typeof value === 'bigint') return String(value)
  throw new GraphQLError('expected text')
}

/**
 * Reads the text of an input; an integer as its digits. The operation checks its form.
 * @throws GraphQLError for any other value.
 */
export function readScalarText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  throw new GraphQLError('expected a string')
}

/** Writes a number in decimal digits, the fewest that read back as the same number. */
export function writeDecimal(value: number): string {
  const text = String(value)
  const [digits = '', exponent] = text.split('e')
  if (exponent === undefined) return text
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.')
  const point = whole.length + Number(exponent)
  const all = `${whole}${fraction}`
  const sign = value < 0 ? '-' : ''
  return point <= 0
    ? `${sign}0.${'0'.repeat(-point)}${all}`
    : `${sign}${all.slice(0, point).padEnd(point, '0')}${all.length > point ? `.${all.slice(point)}` : ''}`
}
