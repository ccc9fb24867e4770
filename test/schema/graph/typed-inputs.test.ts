import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { printSchemaTypes } from '../../../schema/printed/print-schema-types.ts'

const run = promisify(execFile)
const MODULES = resolve(import.meta.dirname, '../../../node_modules')

/** Each directive is an error by itself if its line compiles. */
const SAMPLE = `
import type { VariablesOf } from 'gql.tada'
import { graphql, type Home } from './recipe.ts'
type Balance = NonNullable<NonNullable<NonNullable<NonNullable<Home['account']>['balances']>['nodes']>[number]>
export const balance: Balance = { id: '1', tokenSymbol: 'ETH', available: '5' }
// @ts-expect-error an amount is text
export const number: Balance = { id: '1', tokenSymbol: 'ETH', available: 5 }
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
    allowImportingTsExtensions: true,
    paths: { 'stealth-relay-client/schema': ['./schema.d.ts'] },
    types: [],
  },
  files: ['sample.ts'],
}

/** The block about gql.tada in the README of the client package. */
async function readRecipe(): Promise<string> {
  const readme = await readFile(resolve(import.meta.dirname, '../../../schema/client/README.md'), 'utf8')
  const [, recipe = ''] = /```typescript\n([^]*?)```/.exec(readme) ?? []
  return recipe
}

it('gql.tada infers a document of the README, and no wrong combination of members of a quote compiles', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'typed-inputs-'))
  try {
    await writeFile(join(folder, 'schema.d.ts'), await printSchemaTypes())
    await writeFile(join(folder, 'recipe.ts'), await readRecipe())
    await writeFile(join(folder, 'sample.ts'), SAMPLE)
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(OPTIONS))
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
