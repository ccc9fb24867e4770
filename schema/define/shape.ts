import { z } from 'zod'

declare const hasDescription: unique symbol
declare const hasDescribedMembers: unique symbol

/** Marks a schema with a description. Only `described` and `shape` set it. */
export interface Described {
  readonly [hasDescription]: true
}

/** Marks an object whose members all have descriptions. Only `shape` and `parameters` set it. */
export interface Shaped {
  readonly [hasDescribedMembers]: true
}

/** Members of an object in the API; one without a description does not compile. */
export type Members = Readonly<Record<string, z.core.$ZodType & Described>>

/** An object whose members are all described; inputs of operations have this type. */
export type Shape = z.ZodObject & Shaped

/** `never` for a schema that contains no object, or only objects made by `shape`. */
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

/** A further constraint on a schema: `unknown` if every object in it was made by `shape`, otherwise a type error. */
export type OfShapes<Schema> = [BareObject<Schema>] extends [never]
  ? unknown
  : { 'make this object with shape(), which describes its members': BareObject<Schema> }

/** Examples of a codec belong to its wire side; those of the codec itself are not shown. */
type Examples<Schema> = Schema extends z.core.$ZodPipe ? never : readonly z.input<Schema>[]

/**
 * The same schema with the description that the REST and GraphQL documentation show: unit, meaning of null, when it
 * is absent, source.
 *
 * @param more.id Names the type, for an enum that several members share.
 * @param more.graph How GraphQL shows it otherwise.
 */
export function described<Schema extends z.ZodType>(
  schema: Schema & OfShapes<Schema>,
  description: string,
  more: { id?: string; examples?: Examples<Schema>; graph?: GraphTerms } = {},
): Schema & Described {
  const { id, examples, graph } = more
  const meta = { description, ...(id && { id }), ...(examples && { examples: [...examples] }) }
  const made = (schema as z.ZodType).meta(meta)
  if (graph) graphTerms.set(made, graph)
  return made as Schema & Described
}

/**
 * An object of the API. Members that are not listed are dropped, in inputs and in answers.
 *
 * @param id Name of the OpenAPI schema and of the GraphQL type; the name of an input type gets the suffix `Input`.
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

/** Parameters of a path or a query: an object without a name. */
export function parameters<Listed extends Members>(members: Listed): z.ZodObject<Listed> & Shaped {
  return z.object(members) as z.ZodObject<Listed> & Shaped
}

/** Members with the descriptions that another shape has for members of the same names. */
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

/** How GraphQL shows a member otherwise than REST, whose names and types are a contract. */
interface GraphTerms {
  /** Of the field: a member `id` that is no identity of its object would mislead caches of clients. */
  name?: string
  /** Of an argument: a closed set, where REST takes any text. */
  type?: z.core.$ZodType
}

/** The terms of the members that differ, by their schemas. */
export const graphTerms = new WeakMap<z.core.$ZodType, GraphTerms>()
