import { z } from 'zod'

declare const hasDescription: unique symbol
declare const hasDescribedMembers: unique symbol

/** Mark of a schema that says what it holds. Only `described` and `shape` give it. */
export interface Described {
  readonly [hasDescription]: true
}

/** Mark of an object whose members all say what they hold. Only `shape` and `parameters` give it. */
export interface Shaped {
  readonly [hasDescribedMembers]: true
}

/** Members of an object in the API; one without a description does not compile. */
export type Members = Readonly<Record<string, z.core.$ZodType & Described>>

/** An object whose members are all described: what an operation takes its input from. */
export type Shape = z.ZodObject & Shaped

/** `never` for a schema that holds no object, or only objects made by `shape`. */
type BareObject<Schema> = Schema extends Shaped
  ? never
  : Schema extends z.core.$ZodObject
    ? Schema
    : Schema extends { _zod: { def: { innerType: infer Inner } } }
      ? BareObject<Inner>
      : Schema extends { _zod: { def: { element: infer Element } } }
        ? BareObject<Element>
        : Schema extends { _zod: { def: { valueType: infer Value } } }
          ? BareObject<Value>
          : Schema extends { _zod: { def: { in: infer In } } }
            ? BareObject<In>
            : never

/** What a schema must be besides itself: `unknown` where every object in it was made by `shape`, else an error. */
export type OfShapes<Schema> = [BareObject<Schema>] extends [never]
  ? unknown
  : { 'make this object with shape(), which describes its members': BareObject<Schema> }

/** A codec has its examples on the wire’s side: those of the codec itself are not shown. */
type Examples<Schema> = Schema extends z.core.$ZodPipe ? never : readonly z.input<Schema>[]

/**
 * The same schema with the words that both the REST and the GraphQL documentation show for it: unit, meaning of null,
 * when it is absent, source.
 *
 * @param more.id Names the type: an enum that several members share.
 */
export function described<Schema extends z.ZodType>(
  schema: Schema & OfShapes<Schema>,
  description: string,
  more: { id?: string; examples?: Examples<Schema> } = {},
): Schema & Described {
  const { id, examples } = more
  const meta = { description, ...(id && { id }), ...(examples && { examples: [...examples] }) }
  return (schema as z.ZodType).meta(meta) as Schema & Described
}

/**
 * An object of the API. Members that are not listed are dropped, from inputs as well as answers.
 *
 * @param id Name of the OpenAPI schema and of the GraphQL type; an input type gets `Input` appended.
 */
export function shape<Listed extends Members>(
  id: string,
  description: string,
  members: Listed,
): z.ZodObject<Listed> & Shaped & Described {
  return z.object(members).meta({ id, description }) as z.ZodObject<Listed> & Shaped & Described
}

/** An object of the API that refuses members that are not listed. */
export function strictShape<Listed extends Members>(
  id: string,
  description: string,
  members: Listed,
): z.ZodObject<Listed, z.core.$strict> & Shaped & Described {
  return z.strictObject(members).meta({ id, description }) as z.ZodObject<Listed, z.core.$strict> &
    Shaped &
    Described
}

/** Parameters of a path or a query: an object without a name of its own. */
export function parameters<Listed extends Members>(members: Listed): z.ZodObject<Listed> & Shaped {
  return z.object(members) as z.ZodObject<Listed> & Shaped
}

/** Members with the words that another shape has for members of the same names. */
export function describedAs<Listed extends Readonly<Record<string, z.ZodType>>>(
  members: Listed,
  words: Readonly<Record<keyof Listed, Described & z.core.$ZodType>>,
): { [Name in keyof Listed]: Listed[Name] & Described } {
  const entries = Object.entries(members).map(([name, member]) => {
    const description = z.globalRegistry.get(words[name] as z.core.$ZodType)?.description
    return [name, member.meta({ description })]
  })
  return Object.fromEntries(entries) as { [Name in keyof Listed]: Listed[Name] & Described }
}
