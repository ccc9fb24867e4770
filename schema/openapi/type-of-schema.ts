import type { JsonSchema } from './shape-to-schema.ts'

interface Node {
  $ref?: string
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
  allOf?: readonly JsonSchema[]
  items?: JsonSchema
  pattern?: string
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  additionalProperties?: JsonSchema | boolean
  description?: string
}

/** Patterns of texts for which TypeScript has a narrower type than string. */
const ADDRESS = '^0x[0-9a-fA-F]{40}$'
const HEX = /^\^0x[[(]/

/**
 * Writes the TypeScript type of a JSON Schema. References become members of `Schemas`.
 * @param indent Spaces before the line that the type begins on.
 */
export function writeType(schema: JsonSchema, indent: number): string {
  const node = schema as Node
  if (node.$ref !== undefined) return `Schemas['${node.$ref.split('/').at(-1)}']`
  if (node.const !== undefined) return JSON.stringify(node.const)
  if (node.enum) return node.enum.map((value) => JSON.stringify(value)).join(' | ')
  const union = node.anyOf ?? node.oneOf
  if (union) return distinct(union.map((one) => writeType(one, indent))).join(' | ')
  if (node.allOf) return distinct(node.allOf.map((one) => writeType(one, indent))).join(' & ')
  if (typeof node.type === 'object')
    return distinct(node.type.map((type) => writeType({ ...schema, type }, indent))).join(' | ')
  if (node.type === 'array') return `readonly (${writeType(node.items ?? {}, indent)})[]`
  if (node.type === 'object') return writeObject(node, indent)
  if (node.type === 'string') return textType(node.pattern)
  if (node.type === 'integer' || node.type === 'number') return 'number'
  return node.type ?? 'unknown'
}

function writeObject({ properties, required = [], additionalProperties }: Node, indent: number): string {
  if (!properties) {
    const value =
      typeof additionalProperties === 'object' ? writeType(additionalProperties, indent) : 'unknown'
    return `{ readonly [name: string]: ${value} }`
  }
  const margin = ' '.repeat(indent + 2)
  const members = Object.entries(properties).flatMap(([name, schema]) => {
    const { description } = schema as Node
    return [
      ...(description ? [`${margin}/** ${description.replaceAll('*/', '* /')} */`] : []),
      `${margin}${name}${required.includes(name) ? '' : '?'}: ${writeType(schema, indent + 2)}`,
    ]
  })
  return members.length > 0 ? `{\n${members.join('\n')}\n${' '.repeat(indent)}}` : '{}'
}

function textType(pattern = ''): string {
  if (pattern === ADDRESS) return 'Address'
  return HEX.test(pattern) && !pattern.includes('|') ? 'Hex' : 'string'
}

const distinct = (types: readonly string[]) => [...new Set(types)]
