import type { DriverTypeParser } from 'slonik'

/**
 * How column types that pg would return as something lossy or as text become values: int8 and numeric are bigint.
 * pg's own parsers serve the rest (timestamptz is a Date, bytea a Buffer, jsonb parsed).
 */
export const columnParsers: readonly DriverTypeParser[] = [
  { name: 'int8', parse: BigInt },
  { name: 'numeric', parse: parseWholeNumeric },
  // pg would make it midnight in the zone of the machine.
  { name: 'date', parse: (text) => text },
]

function parseWholeNumeric(text: string): bigint {
  if (!/^-?\d+$/.test(text)) {
    throw new RangeError(`numeric ${text} is not a whole number: cast it in the query, to text or float8`)
  }
  return BigInt(text)
}
