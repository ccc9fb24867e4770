import { printSchema } from 'graphql'
import { buildGraph } from '../build-graph.ts'
import { buildOpenApi } from '../openapi/build-openapi.ts'
import { printClientTypes } from '../openapi/client-types.ts'
import { operations } from '../features.ts'
import { printBreakingChanges } from './list-breaking-changes.ts'
import { writePrinted } from './write-printed.ts'

const schema = buildGraph()
const document = buildOpenApi(operations)

/** Prints the API beside this file, and its types for the client package; with `--check` it only compares. */
await writePrinted(new URL('./', import.meta.url), {
  'schema.graphql': `${printSchema(schema)}\n`,
  'BREAKING.md': await printBreakingChanges(schema),
  'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  '../client/requests/operations.ts': printClientTypes(operations, document),
})
