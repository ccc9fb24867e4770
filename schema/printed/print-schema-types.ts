import { readFile, writeFile } from 'node:fs/promises'
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal'
import { buildSchema, introspectionFromSchema, isScalarType, specifiedScalarTypes } from 'graphql'

const PRINTED = new URL('schema.graphql', import.meta.url)

/** The scalars as they come in JSON, by their types in TypeScript. */
const SCALARS: Readonly<Record<string, string>> = {
  Address: '`0x${string}`',
  Base64: 'string',
  BigInt: 'string',
  DateTime: 'string',
  Decimal: 'string',
  Hash: '`0x${string}`',
  Hex: '`0x${string}`',
  JSON: 'unknown',
  SafeInt: 'number',
  UUID: 'string',
}

/**
 * Prints the GraphQL schema as types, from which gql.tada infers the types of documents.
 * @throws Error for a scalar that has no type here.
 */
export async function printSchemaTypes(): Promise<string> {
  const schema = buildSchema(await readFile(PRINTED, 'utf8'))
  const scalars = Object.values(schema.getTypeMap())
    .filter((type) => isScalarType(type) && !specifiedScalarTypes.some(({ name }) => name === type.name))
    .map(({ name }) => {
      const type = SCALARS[name]
      if (type === undefined) throw new Error(`the scalar ${name} has no type`)
      return `  ${name}: ${type}\n`
    })
  const minified = minifyIntrospection(introspectionFromSchema(schema, { descriptions: false }))
  const types = outputIntrospectionFile(minified, { fileType: '.d.ts', shouldPreprocess: true })
  // What follows names a package that this one does not need.
  const [whole = ''] = types.split("\nimport * as gqlTada from 'gql.tada'")
  // Nor does its advice apply to a file that comes with a package.
  const own = whole.replace(/\n \*\n \* @remarks[^]*? \*\//, '\n */')
  return `// SPDX-License-Identifier: MIT\n${own}\n/** The scalars as they come in JSON. */\nexport type Scalars = {\n${scalars.join('')}}\n`
}

// As the client package is packed.
if (import.meta.main && process.argv[2]) {
  await writeFile(`${process.argv[2]}.d.ts`, await printSchemaTypes())
  await writeFile(`${process.argv[2]}.js`, 'export {}\n')
}
