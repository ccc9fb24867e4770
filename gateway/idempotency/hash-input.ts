import { createHash } from 'node:crypto'

/** SHA-256 of an input's canonical JSON: members sorted, absent ones left out, bigints and dates by their text. */
export function hashInput(input: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(input)).digest()
}

function canonicalJson(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Date) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}
