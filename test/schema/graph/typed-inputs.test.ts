import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal'
import { introspectionFromSchema } from 'graphql'
import { expect, it } from 'vitest'
import { buildGraph } from '../../../schema/build-graph.ts'

const run = promisify(execFile)
const MODULES = resolve(import.meta.dirname, '../../../node_modules')

/** Each directive is an error by itself if its line compiles. */
const SAMPLE = `
import { initGraphQLTada, type VariablesOf } from 'gql.tada'
import type { introspection } from './introspection.d.ts'
const graphql = initGraphQLTada<{ introspection: introspection; scalars: { SafeInt: number } }>()
const create = graphql(\`mutation Create($accountId: UUID!, $input: QuoteRequestInput!) {
  createQuote(accountId: $accountId, input: $input) {
    quote { id ... on SwapQuote { routing } } errors { code ... on InsufficientBalanceError { available } }
  }
}\`)
type Input = VariablesOf<typeof create>['input']
export const right: Input = { send: { chainId: 1, token: '0x', destinationAddress: 'alice.eth', amount: '1' } }
// @ts-expect-error a payment has no payee
export const payee: Input = { send: { chainId: 1, token: '0x', destinationAddress: 'a.eth', payee: 'a' } }
// @ts-expect-error a payment needs a destination
export const nobody: Input = { send: { chainId: 1, token: '0x', amount: '1' } }
// @ts-expect-error a swap needs what it buys
export const nothing: Input = { swap: { chainId: 1, tokenIn: '0x', amountIn: '1' } }
// @ts-expect-error one of the kinds is needed; that it is one alone the service demands
export const none: Input = {}
`
const OPTIONS = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2024',
    skipLibCheck: true,
    types: [],
  },
  files: ['sample.ts'],
}

it('a wrong combination of members of a quote does not compile in gql.tada', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'typed-inputs-'))
  try {
    const schema = minifyIntrospection(introspectionFromSchema(buildGraph(), { descriptions: false }))
    const types = outputIntrospectionFile(schema, { fileType: '.d.ts', shouldPreprocess: true })
    await writeFile(join(folder, 'introspection.d.ts'), types)
    await writeFile(join(folder, 'sample.ts'), SAMPLE)
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    const options = {
      ...OPTIONS,
      compilerOptions: { ...OPTIONS.compilerOptions, allowImportingTsExtensions: true },
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options))
    await symlink(MODULES, join(folder, 'node_modules'))
    const compile = run(join(MODULES, '.bin/tsc'), ['-p', folder]).then(
      () => '',
      (failed: { stdout: string }) => failed.stdout,
    )
    expect(await compile).toBe('')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
