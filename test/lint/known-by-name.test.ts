import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { areasOf, isAllowed, type AllowedNames } from '../../.lint/find-named.ts'
import { readJson } from '../../.lint/read-json.ts'
import { lintPlanted } from './lint-planted.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const names = readJson(new URL('../../.lint/names.json', import.meta.url)) as AllowedNames
/** Entries that names.json may have. It shrinks: never raise these numbers. */
const MOST = { engine: 4, gateway: 20 }

test('an import of one kind fails in the engine, in whatever form, and passes in kinds/', async () => {
  const kind = '../kinds/swap/swap-kind.ts'
  const findings = await lintPlanted('known-by-name', {
    'relayer/transact/kinds/swap/swap-kind.ts': 'export const swapKind = {}\n',
    'relayer/transact/kinds/planted.ts': "import './swap/swap-kind.ts'\n",
    'relayer/transact/kinds/send/planted.ts': "import '../quote-kind.ts'\n",
    'relayer/transact/quotes/planted-0.ts': `import '${kind}'\n`,
    'relayer/transact/quotes/planted-1.ts': `export type { swapKind as planted } from '${kind}'\n`,
    'relayer/transact/quotes/planted-2.ts': `export const planted2 = () => import('${kind}')\n`,
    'relayer/activity/planted-3.ts': "import type { swapKind } from '../transact/kinds/swap/swap-kind.ts'\n",
    'relayer/transact/quotes/registry.ts': "import '../kinds/quote-kinds.ts'\n",
    'relayer/account/planted.ts': "export const account = 'swap'\n",
  })
  expect(findings.map(({ file }) => file).toSorted()).toEqual([
    'relayer/activity/planted-3.ts',
    'relayer/transact/quotes/planted-0.ts',
    'relayer/transact/quotes/planted-1.ts',
    'relayer/transact/quotes/planted-2.ts',
  ])
  expect(findings[0]?.message).toContain('knows no kind by name')
})

test("a kind's name as a text fails in the engine", async () => {
  const findings = await lintPlanted('known-by-name', {
    'relayer/transact/kinds/pool-deposit/planted.ts': "export const own = 'pool_deposit'\n",
    'relayer/transact/submissions/planted.ts':
      "export const planted = (kind: string) => kind === 'pool_deposit'\n",
  })
  expect(findings.map(({ file }) => file)).toEqual(['relayer/transact/submissions/planted.ts'])
})

test('an import of a feature fails in the gateway; an import that serves all features passes', async () => {
  const findings = await lintPlanted('known-by-name', {
    'gateway/http/planted-0.ts': "import '../../relayer/account/notes/notes.ts'\n",
    'gateway/graphql/planted-1.ts': "import type { x } from '../../schema/pool/state/operations.ts'\n",
    'gateway/limits/planted-2.ts': "export const planted = import('../../db/transact/quotes.ts')\n",
    'gateway/http/planted-3.ts':
      "import '../../relayer/services.ts'\nimport '../../schema/features.ts'\nimport '../../schema/define/invoke.ts'\nimport '../../relayer/shares/client.ts'\n",
    'gateway/http/planted-5.ts': 'export const planted = (services: any) => services.notes.list()\n',
    'gateway/http/planted-6.ts':
      'export const planted = (services: any) => {\n  const { notes } = services\n  return notes\n}\n',
    'gateway/compose/planted-4.ts': "import '../../relayer/account/notes/notes.ts'\n",
  })
  expect(findings.map(({ file }) => file).toSorted()).toEqual([
    'gateway/graphql/planted-1.ts',
    'gateway/http/planted-0.ts',
    'gateway/http/planted-5.ts',
    'gateway/http/planted-6.ts',
    'gateway/limits/planted-2.ts',
  ])
})

test('names.json only shrinks', () => {
  expect(Object.keys(names.engine).length).toBeLessThanOrEqual(MOST.engine)
  expect(Object.keys(names.gateway).length).toBeLessThanOrEqual(MOST.gateway)
})

test('every entry of names.json is still needed, and says why', () => {
  const kinds = globSync('relayer/transact/kinds/*/', { cwd: root }).map((path) =>
    basename(path).replaceAll('-', '_'),
  )
  for (const area of areasOf(names))
    for (const [entry, reason] of Object.entries(area.allowed)) {
      const files = globSync(entry.endsWith('/') ? `${entry}**/*.ts` : entry, { cwd: root }).filter((file) =>
        isAllowed({ allowed: { [entry]: reason } }, file),
      )
      const needs = files.filter((file) => {
        const text = readFileSync(join(root, file), 'utf8')
        const imported = [...text.matchAll(/'(\.[^'\n]+\.ts)'/g)].map(([, path = '']) =>
          relative(root, join(root, dirname(file), path)),
        )
        const isNaming = file.startsWith('relayer/') && kinds.some((kind) => text.includes(`'${kind}'`))
        return area.holds(file) && (isNaming || imported.some(area.names))
      })
      expect(needs, entry).not.toEqual([])
      expect(reason.split(' ').length, entry).toBeGreaterThan(3)
    }
})
