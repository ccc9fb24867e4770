import { z } from 'zod'

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
        // Amounts travel as decimal strings.
        override: ({ zodSchema, jsonSchema }) => {
          if (zodSchema._zod.def.type === 'bigint') jsonSchema.type = 'string'
        },
      })
      for (const [id, definition] of Object.entries($defs ?? {})) components[id] = toComponent(definition)
      return toComponent(properties?.['shape']) as JsonSchema
    },
  }
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
