import { z, type core, type ZodObject } from 'zod'

/** A shape without its wrappers, as on the wire: the input side of a codec. */
export interface InspectedShape {
  base: core.$ZodTypes
  /** Whether it may be left out. */
  optional: boolean
  /** Whether it may be null. */
  nullable: boolean
}

/** Unwraps optional, nullable, default, readonly, codecs, and the descriptions of members. */
export function inspectShape(shape: core.$ZodType): InspectedShape {
  let base = shape as core.$ZodTypes
  let optional = false
  let nullable = false
  for (;;) {
    const { def } = base._zod
    switch (def.type) {
      case 'optional':
      case 'default':
      case 'prefault':
        optional = true
        base = def.innerType as core.$ZodTypes
        break
      case 'nullable':
        nullable = true
        base = def.innerType as core.$ZodTypes
        break
      case 'readonly':
      case 'nonoptional':
      case 'catch':
        base = def.innerType as core.$ZodTypes
        break
      case 'pipe':
        base = def.in as core.$ZodTypes
        break
      default:
        return { base: namedOf(base), optional, nullable }
    }
  }
}

/** The type that was registered under a name; `described` copies it to add a member's description. */
function namedOf(base: core.$ZodTypes): core.$ZodTypes {
  for (let at: core.$ZodType | undefined = base; at; at = at._zod.parent)
    if (z.globalRegistry.get(at)?.id !== undefined) return at as core.$ZodTypes
  return base
}

/** Whether an object has no members. A client may then leave out the body. */
export function isEmptyShape(shape: ZodObject): boolean {
  return Object.keys(shape.shape).length === 0
}
