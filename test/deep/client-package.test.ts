import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const tsc = join(root, 'node_modules/.bin/tsc')
/** Bytes of the entry and everything that it loads at once, without a prover. */
const MOST = 60 * 1024

const PROGRAM = `
import { deriveSharedKeys, listStealthAddresses, signQuote, type AskedQuote } from 'stealth-relay-client'
import { notePhrase } from 'stealth-relay-client/pool'
import { createAppProvider } from 'stealth-relay-client/provider'
import { resolveName } from 'stealth-relay-client/names'
import { findHoldings } from 'stealth-relay-client/recovery'
import type { Scalars } from 'stealth-relay-client/schema'
const keys = { spendKey: \`0x\${'11'.repeat(32)}\`, viewKey: \`0x\${'22'.repeat(32)}\` } as const
const asked: AskedQuote['type'] & Scalars['Decimal'] = 'send'
const known = [signQuote, createAppProvider, resolveName, findHoldings].every((one) => typeof one === 'function')
const [first] = listStealthAddresses(keys, { count: 1 })
console.log(JSON.stringify([asked, known, deriveSharedKeys(keys).authAddress, first?.address, notePhrase(keys.spendKey, keys.viewKey).mnemonic]))
`

/** An empty project that has the packed package and nothing else of this repository. */
let project: string
/** The packed file. */
let packed: string
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'client-'))
  const source = join(root, 'schema/client')
  const built = join(project, 'built')
  await mkdir(built)
  for (const file of ['package.json', 'README.md', 'LICENSE']) await cp(join(source, file), join(built, file))
  await run(tsc, ['-p', source, '--outDir', join(built, 'dist')])
  await cp(join(root, 'schema/printed/schema.graphql'), join(built, 'schema.graphql'))
  await run(process.execPath, [
    join(root, 'schema/printed/print-schema-types.ts'),
    join(built, 'dist/schema'),
  ])
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', project], { cwd: built })
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { version: string }
  packed = join(project, `stealth-relay-client-${version}.tgz`)
  await run('npm', ['install', '--no-audit', '--no-fund', packed, 'viem@2.57.1'], { cwd: project })
  await writeFile(join(project, 'main.ts'), PROGRAM)
}, 600_000)

test.each([
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
])('the types of the packed client resolve by module %s and resolution %s', async (module, resolution) => {
  const options = ['--strict', '--target', 'es2022', '--lib', 'es2023,dom', '--skipLibCheck']
  const how = ['--module', module, '--moduleResolution', resolution, '--outDir', `out-${resolution}`]
  await run(tsc, [...options, ...how, '--types', '', 'main.ts'], { cwd: project })
})

test('the recipes of the packed README compile with the packed client', async () => {
  const readme = await readFile(join(project, 'node_modules/stealth-relay-client/README.md'), 'utf8')
  // The script of the worker and the page of React need packages that a wallet adds.
  const recipes = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, recipe = '']) => recipe)
  const own = recipes.filter((recipe) => !recipe.includes("'snarkjs'"))
  expect(own.length).toBeGreaterThan(12)
  const files = own.map((_, place) => `recipe-${place}.ts`)
  for (const [place, recipe] of own.entries()) await writeFile(join(project, `recipe-${place}.ts`), recipe)
  const options = ['--strict', '--target', 'es2022', '--lib', 'es2023,dom', '--skipLibCheck', '--noEmit']
  const how = ['--exactOptionalPropertyTypes', '--module', 'esnext', '--moduleResolution', 'bundler']
  await run(tsc, [...options, ...how, '--types', '', ...files], { cwd: project })
})

/** Runs a published program in the project. */
const runPublished = (program: string, ...args: string[]) =>
  run('npm', ['exec', '--yes', `--package=${program}`, '--', ...args], { cwd: project })

test('arethetypeswrong and publint find nothing wrong with the packed client', async () => {
  // It has no form for require(), on purpose.
  await runPublished(
    '@arethetypeswrong/cli@0.18.5',
    'attw',
    packed,
    '--profile',
    'esm-only',
    '--exclude-entrypoints',
    './schema.graphql',
  )
  const { stdout } = await runPublished('publint@0.3.25', 'publint', packed, '--strict')
  expect(stdout).toContain('All good!')
})

test('the packed client runs on Node 20 and on the service’s Node', async () => {
  const script = join(project, 'out-nodenext/main.js')
  const expected = JSON.stringify([
    'send',
    true,
    '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
    '0x54a7ea4391ECA945c18896C62fbEE877AdB4b7de',
    'holiday trim neck mystery meat explain box middle sure empty stock guard',
  ])
  for (const node of [process.execPath, '/usr/bin/node']) {
    const answer = await run(node, [script], { cwd: project }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (answer) expect(answer.stdout.trim(), node).toBe(expected)
  }
})

test('a page loads at most 60 kB of it before it proves anything', async () => {
  const input = join(project, 'node_modules/stealth-relay-client/dist/index.js')
  const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' })
  const { output } = await bundle.generate({ minify: true, format: 'esm' })
  const [entry] = output
  expect(gzipSync(entry.code, { level: 9 }).length).toBeLessThanOrEqual(MOST)
  expect(await readFile(join(project, 'node_modules/stealth-relay-client/LICENSE'), 'utf8')).toContain('MIT')
})
