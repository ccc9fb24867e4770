import type { z } from 'zod'
import { inspectShape } from '../../schema/define/inspect-shape.ts'
import { badRequest } from '../../relayer/errors.ts'

/**
 * Parses path or query parameters by their shape: text stays text; numbers and booleans are parsed where the shape
 * has one. Lists are split at commas, and a list that is given repeatedly has the items of all occurrences. Text that
 * cannot be parsed is left unchanged, and the validation refuses it.
 *
 * @throws ServiceError `bad-request` when a parameter that is not a list is given twice.
 */
export function readText(
  shape: z.ZodObject,
  pairs: readonly (readonly [string, string])[],
  place: 'path' | 'query',
): Record<string, unknown> {
  const values = new Map<string, unknown>()
  for (const [name, text] of pairs) {
    const member = Object.hasOwn(shape.shape, name) ? shape.shape[name] : undefined
    if (!member) continue
    const value = readValue(member, text)
    const before = values.get(name)
    if (Array.isArray(before) && Array.isArray(value)) values.set(name, [...before, ...value])
    else if (values.has(name)) throw badRequest(`${place}.${name}: is given more than once`)
    else values.set(name, value)
  }
  return Object.fromEntries(values)
}

function readValue(member: z.core.$ZodType, text: string): unknown {
  const { base } = inspectShape(member)
  switch (base._zod.def.type) {
    case 'number':
      return /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/.test(text) ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'array':
      return text === '' ? [] : text.split(',')
    default:
      return text
  }
}
