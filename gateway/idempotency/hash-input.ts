import { createHash } from 'node:crypto'
import { badRequest } from '../../relayer/errors.ts'

/** Inputs of operations have a few levels. Members of any type could nest so deeply that the stack overflows. */
const DEEPEST = 100

/**
 * SHA-256 of an input's canonical JSON: members sorted, absent ones left out, bigints and dates by their text.
 *
 * @throws ServiceError `bad-request` when it is nested more than 100 levels deep.
 */
export function hashInput(input: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(input)).digest()
}

function canonicalJson(value: unknown, depth = 0): string {
  if (depth > DEEPEST) throw badRequest(`The input is nested more than ${DEEPEST} levels deep`)
  const write = (member: unknown) => canonicalJson(member, depth + 1)
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Date) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`)
  return `{${members.join(',')}}`
}
