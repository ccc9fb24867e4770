import type { z } from 'zod'

/** How GraphQL shows a member otherwise than REST, whose names and types are a contract. */
export interface GraphTerms {
  /** Of the field: a member `id` that is no identity of its object would mislead caches of clients. */
  name?: string
  /** Of an argument: a closed set, where REST takes any text. */
  type?: z.core.$ZodType
}

/** The terms of the members that differ, by their schemas. */
export const graphTerms = new WeakMap<z.core.$ZodType, GraphTerms>()
