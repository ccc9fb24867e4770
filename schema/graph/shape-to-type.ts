import { z } from 'zod'
import { graphTerms } from '../define/shape.ts'
import { scalarOf } from '../define/graph-scalars.ts'
import { inspectShape } from '../define/inspect-shape.ts'
import { pascalCase } from '../define/pascal-case.ts'
import type { GraphBuilder } from './builder.ts'
import { paceList } from './pace-list.ts'

/** A GraphQL type as Pothos takes it: a scalar's name, a reference, or a list of one. */
type Ref = ReturnType<GraphBuilder['objectRef']> | ReturnType<GraphBuilder['inputRef']>
export type TypeParameter = string | Ref | readonly [TypeParameter]

export interface MappedType {
  type: TypeParameter
  nullable: boolean
}

/** Maps every shape to its GraphQL type; the same shape always gets the same type. */
export interface TypeMapper {
  /** `name` is used if the shape has no name from `.meta({id})`. */
  output(shape: z.core.$ZodType, name: string): MappedType
  input(shape: z.core.$ZodType, name: string): MappedType
  /** The name of a shape's type. */
  nameOf(shape: z.core.$ZodType): string
  /** Fields for the members of a shape, for a type that is written by hand. */
  fields(t: never, shape: z.core.$ZodObject, name: string, choice?: FieldChoice): never
  /** The input for one of several shapes: an object with a member for each, of which a client gives one. */
  oneOf(union: OneOfShapes, name: string): TypeParameter
  /** The type of a shape whose values are entities; null for any other. */
  entityOf(shape: z.core.$ZodType): { name: string; ref: object } | null
  /** Makes a type that is written by hand the type of a shape. */
  adopt(shape: z.core.$ZodObject, ref: object, name: string): void
}

/** A union of objects by a member that names each. */
export interface OneOfShapes {
  discriminator: string
  /** By the name of each. */
  options: ReadonlyMap<string, z.core.$ZodObject>
}

/** Which members of a shape are fields of a type. */
export interface FieldChoice {
  only?: readonly string[]
  without?: readonly string[]
  /** Reasons, by the members that are deprecated. */
  deprecated?: Readonly<Record<string, string>>
  /** Whether every field may be null. */
  nullable?: boolean
}

type Direction = 'input' | 'output'

/** The scalar of a constant, so that REST and GraphQL answer the same type. */
function typeOfLiteral(value: unknown): TypeParameter {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'SafeInt' : 'Float'
  return typeof value === 'boolean' ? 'Boolean' : 'String'
}

export const createTypeMapper = (builder: GraphBuilder): TypeMapper => new ShapeTypes(builder)

class ShapeTypes implements TypeMapper {
  readonly #builder: GraphBuilder
  readonly #made = new Map<string, { shape: z.core.$ZodType; ref: Ref }>()
  readonly #adopted = new Map<z.core.$ZodType, { name: string; ref: object }>()

  constructor(builder: GraphBuilder) {
    this.#builder = builder
  }

  output(shape: z.core.$ZodType, name: string): MappedType {
    return this.#map(shape, pascalCase(name), 'output')
  }

  input(shape: z.core.$ZodType, name: string): MappedType {
    return this.#map(shape, pascalCase(name), 'input')
  }

  nameOf(shape: z.core.$ZodType): string {
    return nameOf(inspectShape(shape).base, '')
  }

  entityOf(shape: z.core.$ZodType) {
    return this.#adopted.get(inspectShape(shape).base) ?? null
  }

  adopt(shape: z.core.$ZodObject, ref: object, name: string): void {
    const { base } = inspectShape(shape)
    this.#made.set(nameOf(base, ''), { shape: base, ref: ref as Ref })
    this.#adopted.set(base, { name, ref })
  }

  fields(t: never, shape: z.core.$ZodObject, name: string, choice?: FieldChoice): never {
    return this.#fields(t, shape._zod.def.shape, name, choice)
  }

  oneOf({ discriminator, options }: OneOfShapes, name: string): Ref {
    const ref = this.#builder.inputRef<Record<string, unknown>>(`${name}Input`)
    ref.implement({
      description: 'Exactly one member.',
      isOneOf: true,
      fields: (t) =>
        Object.fromEntries(
          [...options].map(([option, shape]) => {
            const { [discriminator]: _, ...members } = shape._zod.def.shape
            const optionName = `${pascalCase(option)}${name}`
            const type = this.#inputType(members, shape, optionName) as never
            return [option, t.field({ ...describe(shape), type, required: false })]
          }),
        ) as never,
    })
    return ref
  }

  #map(shape: z.core.$ZodType, name: string, direction: Direction): MappedType {
    const { base, optional, nullable } = inspectShape(graphTerms.get(shape)?.type ?? shape)
    return { type: this.#typeOf(base, name, direction), nullable: optional || nullable }
  }

  #typeOf(base: z.core.$ZodTypes, name: string, direction: Direction): TypeParameter {
    const { def } = base._zod
    const scalar = scalarOf(base)
    if (scalar) return scalar
    switch (def.type) {
      case 'string':
        return 'String'
      case 'bigint':
        return 'BigInt'
      case 'literal':
        return typeOfLiteral(def.values[0])
      case 'boolean':
        return 'Boolean'
      case 'number':
        return 'format' in def && def.format === 'safeint' ? 'SafeInt' : 'Float'
      case 'array':
        return [this.#typeOf(inspectShape(def.element).base, `${name}Item`, direction)]
      case 'enum':
        return this.#once(base, nameOf(base, name), () => this.#enumType(def.entries, base, name))
      case 'object':
        return direction === 'output'
          ? this.#once(base, nameOf(base, name), () => this.#objectType(def.shape, base, name))
          : this.#once(base, `${nameOf(base, name)}Input`, () => this.#inputType(def.shape, base, name))
      default:
        return 'JSON'
    }
  }

  #once(shape: z.core.$ZodType, name: string, make: () => Ref): Ref {
    const known = this.#made.get(name)
    if (!known) {
      const ref = make()
      this.#made.set(name, { shape, ref })
      return ref
    }
    if (known.shape !== shape) throw new Error(`two shapes are named ${name}: give one another .meta({id})`)
    return known.ref
  }

  #enumType(entries: Readonly<Record<string, unknown>>, base: z.core.$ZodType, name: string): Ref {
    const values = Object.values(entries).map(String)
    return this.#builder.enumType(nameOf(base, name), {
      ...describe(base),
      values: Object.fromEntries(values.map((value) => [value.replaceAll(/\W/g, '_'), { value }])),
    }) as unknown as Ref
  }

  #objectType(members: Members, base: z.core.$ZodType, name: string): Ref {
    const typename = nameOf(base, name)
    const ref = this.#builder.objectRef<Record<string, unknown>>(typename)
    ref.implement({ ...describe(base), fields: (t) => this.#fields(t as never, members, typename) })
    return ref
  }

  #fields(t: never, members: Members, typename: string, choice: FieldChoice = {}): never {
    const maker = t as FieldMaker
    const { only, without = [], deprecated = {}, nullable: isNullable = false } = choice
    const chosen = Object.entries(members).filter(
      ([key]) => (only?.includes(key) ?? true) && !without.includes(key),
    )
    return mapMembers(Object.fromEntries(chosen), (key, member) => {
      const { type, nullable: mayBeNull } = this.#map(member, typename + pascalCase(key), 'output')
      const nullable = mayBeNull || isNullable
      const deprecationReason = deprecated[key]
      const options = { ...describe(member), type, nullable, ...(deprecationReason && { deprecationReason }) }
      const resolve = (parent: Record<string, unknown>) => paceList(parent[key])
      const isList = inspectShape(member).base._zod.def.type === 'array'
      return isList ? maker.field({ ...options, resolve }) : maker.expose(key, options)
    }) as never
  }

  #inputType(members: Members, base: z.core.$ZodType, name: string): Ref {
    const ref = this.#builder.inputRef<Record<string, unknown>>(`${nameOf(base, name)}Input`)
    ref.implement({
      ...describe(base),
      fields: (t) =>
        mapMembers(members, (key, member) => {
          const { type, nullable } = this.#map(member, nameOf(base, name) + pascalCase(key), 'input')
          return t.field({
            ...describe(member),
            type: type as never,
            required: !nullable,
          }) as never
        }),
    })
    return ref
  }
}

/** Pothos' field builder, for members whose types are only known at run time. */
interface FieldMaker {
  field(options: object): unknown
  expose(key: string, options: object): unknown
}

type Members = Readonly<Record<string, z.core.$ZodType>>

function mapMembers<Field>(
  members: Members,
  make: (key: string, member: z.core.$ZodType) => Field,
): Record<string, Field> {
  return Object.fromEntries(
    Object.entries(members).map(([key, member]) => [graphTerms.get(member)?.name ?? key, make(key, member)]),
  )
}

function nameOf(shape: z.core.$ZodType, otherwise: string): string {
  return z.globalRegistry.get(shape)?.id ?? otherwise
}

/** The description of a shape as an option, absent if the shape has none. */
export function describe(shape: z.core.$ZodType): { description?: string } {
  const description = z.globalRegistry.get(shape)?.description
  return description === undefined ? {} : { description }
}
