import type { z } from 'zod'
import { inspectShape } from '../define/inspect-shape.ts'

/**
 * Drops members that are null although their shape does not allow null, at every depth: GraphQL clients write null
 * for members that they leave out. The validation then gets the same input by GraphQL as by REST.
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
