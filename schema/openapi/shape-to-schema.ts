import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

/**
 * Converts shapes into JSON Schema 2020-12; shapes with a name from `.meta({id})` are collected under `components`.
 *
 * By zod's own converter, which zod-openapi 5 wraps as well. That one describes an answer by its output, the parsed
 * value. On the wire it is the input: 175 of 282 schemas lost patterns or got `int64`.
 */
export function createSchemaWriter(): { write(shape: z.core.$ZodType): JsonSchema; components: JsonSchema } {
  const components: JsonSchema = {}
  /** Conversions are slow, and the shape of errors alone is written several hundred times. */
  const written = new Map<z.core.$ZodType, JsonSchema>()
  return {
    components,
    write(shape) {
      const known = written.get(shape)
      if (known) return known
      // Wrapped in an object, because the root of a conversion is written inline even if it has a name.
      const { properties, $defs } = z.toJSONSchema(z.object({ shape }), {
        io: 'input',
        unrepresentable: 'any',
        // Amounts are decimal strings on the wire.
        override: ({ zodSchema, jsonSchema }) => {
          const { def } = zodSchema._zod
          if (def.type === 'bigint') jsonSchema.type = 'string'
          if (def.type === 'union' && 'discriminator' in def)
            jsonSchema['discriminator'] = describeDiscriminator(def as z.core.$ZodDiscriminatedUnionDef)
        },
      })
      for (const [id, definition] of Object.entries($defs ?? {})) components[id] = toComponent(definition)
      const schema = toComponent(properties?.['shape']) as JsonSchema
      written.set(shape, schema)
      return schema
    },
  }
}

/** The discriminator: for each value of the member, the schema. Each option is a named object. */
function describeDiscriminator({ discriminator, options }: z.core.$ZodDiscriminatedUnionDef): JsonSchema {
  const mapping = options.flatMap((option) => {
    const { id } = z.globalRegistry.get(option) ?? {}
    const values = option._zod.propValues?.[discriminator] ?? new Set()
    return [...values].map((value) => [String(value), `#/components/schemas/${id}`])
  })
  return { propertyName: discriminator, mapping: Object.fromEntries(mapping) }
}

/** References point to the document's components; JSON Schema has no keyword `id`. */
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
