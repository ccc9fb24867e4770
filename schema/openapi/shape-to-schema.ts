import { z } from 'zod'
import { explainMember } from '../glossary/explain-member.ts'

export type JsonSchema = Record<string, unknown>

/** Turns shapes into JSON Schema 2020-12; shapes named by `.meta({id})` are gathered under `components`. */
export function createSchemaWriter(): { write(shape: z.core.$ZodType): JsonSchema; components: JsonSchema } {
  const components: JsonSchema = {}
  return {
    components,
    write(shape) {
      // Wrapped, because the root of a conversion is written out even where it has a name.
      const { properties, $defs } = z.toJSONSchema(z.object({ shape }), {
        io: 'input',
        unrepresentable: 'any',
      })
      for (const [id, definition] of Object.entries($defs ?? {}))
        components[id] = explainMembers(toComponent(definition), id)
      return toComponent(properties?.['shape']) as JsonSchema
    },
  }
}

/** Members whose shape says nothing of them get the glossary's words. */
function explainMembers(node: unknown, type: string): unknown {
  if (Array.isArray(node)) return node.map((item) => explainMembers(item, type))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]: [string, unknown]) => [
      key,
      key === 'properties'
        ? explainEach(value as Record<string, JsonSchema>, type)
        : explainMembers(value, type),
    ]),
  )
}

function explainEach(members: Readonly<Record<string, JsonSchema>>, type: string): JsonSchema {
  return Object.fromEntries(
    Object.entries(members).map(([name, schema]) => {
      const description = schema['description'] ?? explainMember(type, name)
      return [name, { ...(explainMembers(schema, type) as JsonSchema), ...(description && { description }) }]
    }),
  )
}

/** References point into the document's components; the `id` keyword is not JSON Schema's. */
function toComponent(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toComponent)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !(key === 'id' && typeof value === 'string'))
      .map(([key, value]) => [
        key,
        key === '$ref' && typeof value === 'string'
          ? value.replace('#/$defs/', '#/components/schemas/')
          : toComponent(value),
      ]),
  )
}
