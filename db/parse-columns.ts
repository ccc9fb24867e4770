import type { DriverTypeParser } from 'slonik'

/**
 * Parsers for column types that pg would return lossily or as text: int8 and numeric become bigint. The rest use pg's
 * own parsers (timestamptz is a Date, bytea a Buffer, jsonb parsed).
 */
export const columnParsers: readonly DriverTypeParser[] = [
  { name: 'int8', parse: BigInt },
  { name: 'numeric', parse: parseWholeNumeric },
  // pg would return midnight in the machine's time zone.
  { name: 'date', parse: (text) => text },
]

function parseWholeNumeric(text: string): bigint {
  if (!/^-?\d+$/.test(text)) {
    throw new RangeError(`numeric ${text} is not a whole number: cast it in the query, to text or float8`)
  }
  return BigInt(text)
}
