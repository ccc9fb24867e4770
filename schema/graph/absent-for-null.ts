import type { z } from 'zod'
import { inspectShape } from '../define/inspect-shape.ts'

/**
 * GraphQL clients write null for what they leave out. Members that are null and whose shape knows no null are dropped,
 * at every depth, so that both doors hand the same input to the validation.
 */
export function absentForNull(shape: z.core.$ZodType, value: unknown): unknown {
  const { def } = inspectShape(shape).base._zod
  if (def.type === 'array' && Array.isArray(value))
    return value.map((item) => absentForNull(def.element, item))
  if (def.type !== 'object' || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
      const member = def.shape[key]
      if (!member) return [[key, item]]
      return item === null && !inspectShape(member).nullable ? [] : [[key, absentForNull(member, item)]]
    }),
  )
}
