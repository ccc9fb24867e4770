import { printSchema } from 'graphql'
import { buildGraph } from '../build-graph.ts'
import { buildOpenApi } from '../openapi/build-openapi.ts'
import { operations } from '../features.ts'
import { writePrinted } from './write-printed.ts'

/** Prints the API beside this file; with `--check` it only compares. */
await writePrinted(new URL('./', import.meta.url), {
  'schema.graphql': `${printSchema(buildGraph())}\n`,
  'openapi.json': `${JSON.stringify(buildOpenApi(operations), null, 2)}\n`,
})
