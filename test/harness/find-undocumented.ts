import type { core, z } from 'zod'
import { inspectShape } from '../../schema/define/inspect-shape.ts'

/**
 * Lists the differences between an answer and its documented shape. These are missing members, members of another type,
 * and members that the shape lacks (zod alone would ignore these). Empty if there are none.
 */
export function findUndocumented(shape: core.$ZodType, value: unknown, at = 'answer'): string[] {
  const { base, nullable, optional } = inspectShape(shape)
  if (value === undefined) return optional ? [] : [`${at}: is missing`]
  if (value === null && nullable) return []
  const { def } = base._zod
  if (def.type === 'object') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at}: is no object`]
    const members = value as Record<string, unknown>
    const unknown = Object.keys(members).filter((name) => !(name in def.shape))
    return [
      ...unknown.map((name) => `${at}.${name}: is not documented`),
      ...Object.entries(def.shape).flatMap(([name, member]) =>
        findUndocumented(member, members[name], `${at}.${name}`),
      ),
    ]
  }
  if (def.type === 'array') {
    if (!Array.isArray(value)) return [`${at}: is no list`]
    return value.flatMap((item, place) => findUndocumented(def.element, item, `${at}[${place}]`))
  }
  const parsed = (shape as z.ZodType).safeParse(value)
  return parsed.success ? [] : [`${at}: ${parsed.error.issues[0]?.message} (${JSON.stringify(value)})`]
}
