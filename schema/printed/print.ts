import { readFile, writeFile } from 'node:fs/promises'
import { printSchema } from 'graphql'
import { buildGraph } from '../build-graph.ts'
import { buildOpenApi } from '../openapi/build-openapi.ts'
import { operations } from '../features.ts'

/** Prints the API beside this file; with `--check` it only tells whether what is committed is what the code says. */
const printed = {
  'schema.graphql': `${printSchema(buildGraph())}\n`,
  'openapi.json': `${JSON.stringify(buildOpenApi(operations), null, 2)}\n`,
}

for (const [name, text] of Object.entries(printed)) {
  const file = new URL(name, import.meta.url)
  if (!process.argv.includes('--check')) await writeFile(file, text)
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`schema/printed/${name} differs from the code: run node schema/printed/print.ts and commit it`)
    process.exitCode = 1
  }
}
