import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Layers } from '../../.lint/find-forbidden.ts'
import { readJson } from '../../.lint/read-json.ts'
import { lintPlanted } from './lint-planted.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const layers = readJson(new URL('../../.lint/layers.json', import.meta.url)) as Layers
const folders = Object.keys(layers.order)

test('an import from a lower to a higher layer fails at every level, type imports included', async () => {
  const planted = pairs().map(({ low, high }, index) =>
    index % 2 === 0 ? importing(low, high, index) : importing(low, high, index, 'import type'),
  )
  const findings = await lintPlanted('layer-order', Object.fromEntries(planted))
  expect(findings.map(({ file }) => file).toSorted()).toEqual(planted.map(([file]) => file).toSorted())
})

test('an import from a higher to a lower layer passes at every level', async () => {
  const planted = pairs()
    .filter(({ parted }) => !parted)
    .map(({ low, high }, index) => importing(high, low, index))
  expect(await lintPlanted('layer-order', Object.fromEntries(planted))).toEqual([])
})

test('an upward reference fails in whatever form it is written', async () => {
  const forms = [
    "export { x } from '../activity/x.ts'",
    "export * from '../activity/x.ts'",
    "export type { X } from '../activity/x.ts'",
    "export const x = () => import('../activity/x.ts')",
    "export type X = import('../activity/x.ts').X",
    "export const x = new URL('../activity/x.ts', import.meta.url)",
  ]
  const planted = forms.map((code, index) => [`relayer/chain/planted-${index}.ts`, `${code}\n`] as const)
  const findings = await lintPlanted('layer-order', Object.fromEntries(planted))
  expect(findings.map(({ file }) => file).toSorted()).toEqual(planted.map(([file]) => file))
  for (const { message } of findings) expect(message).toContain('activity is above chain')
})

test('a folder that layers.json does not name may import no sibling and be imported by none', async () => {
  const findings = await lintPlanted('layer-order', {
    'relayer/stray/planted.ts': "import '../concurrency/x.ts'\n",
    'relayer/activity/planted.ts': "import '../stray/x.ts'\n",
    'db/activity/one/planted.ts': "import '../two/x.ts'\n",
  })
  const said = findings
    .map(({ file, message }) => `${file}: ${message}`)
    .toSorted((one, other) => one.localeCompare(other))
  expect(said).toEqual([
    expect.stringMatching(/^db.activity.one.planted.ts: Declare the order of the folders of db.activity/),
    expect.stringMatching(/^relayer.activity.planted.ts: Declare the place of stray/),
    expect.stringMatching(/^relayer.stray.planted.ts: Declare the place of stray/),
  ])
})

test('folders that /* stands for may not import each other', async () => {
  const findings = await lintPlanted('layer-order', {
    'relayer/transact/kinds/one/planted.ts': "import '../another/x.ts'\n",
    'relayer/transact/kinds/another/planted.ts': "import '../quote-kind.ts'\n",
  })
  expect(findings.map(({ message }) => message)).toEqual([
    expect.stringContaining('one and another may not import each other'),
  ])
})

test('schema may import relayer alone, and no room may import a bench or a test', async () => {
  const findings = await lintPlanted('layer-order', {
    'schema/activity/planted-db.ts': "import '../../db/x.ts'\n",
    'schema/activity/planted-proving.ts': "import '../../proving/x.ts'\n",
    'gateway/http/planted-test.ts': "import '../../test/x.ts'\n",
    'gateway/http/planted-bench.ts': "import '../../bench/x.ts'\n",
  })
  expect(findings).toHaveLength(4)
})

test('layers.json names only folders and files that exist', () => {
  const named = folders.flatMap((folder) => layers.order[folder]?.flat().map((entry) => join(folder, entry)))
  const stale = named.filter((path) => !path?.endsWith('*') && !existsSync(join(root, path ?? '')))
  expect(stale).toEqual([])
})

test('layers.json orders every folder of the five rooms that has folders with code', () => {
  // Above the five stands test/, of which only the devnet has an order.
  const rooms = (layers.order['']?.flat() ?? []).filter((room) => room !== 'test')
  expect(rooms.flatMap(parentsWithin).filter((folder) => !folders.includes(folder))).toEqual([])
})

interface Pair {
  low: string
  high: string
  /** Whether neither may import the other. */
  parted: boolean
}

/** A file and a folder that layers.json does not name. */
const STANDS_FOR: Readonly<Record<string, string>> = { '*': 'planted-in-rest.ts', '/*': 'planted-folder' }

/** Neighbours in every declared order, as paths; members of an inner list count as neighbours of each other. */
function pairs(): Pair[] {
  return folders.flatMap((folder) => {
    const order = layers.order[folder] ?? []
    const path = (entry: string) => join(folder, STANDS_FOR[entry] ?? entry)
    const steps = order
      .slice(1)
      .flatMap((layer, index) =>
        [order[index] ?? []]
          .flat()
          .flatMap((low) =>
            [layer].flat().map((high) => ({ low: path(low), high: path(high), parted: false })),
          ),
      )
    const parted = order
      .filter((layer) => Array.isArray(layer))
      .flatMap((layer) =>
        [...layer]
          .slice(1)
          .map((high, index) => ({ low: path(layer[index] ?? ''), high: path(high), parted: true })),
      )
    return [...steps, ...parted].filter(({ low, high }) => mayImport(high, low))
  })
}

/** Whether `only` leaves the import to the order. */
const mayImport = (high: string, low: string) => layers.only[high]?.includes(low) ?? true

/** A file in `from` (or that is `from`) which imports one in `to`. */
function importing(from: string, to: string, index: number, form = 'import'): [file: string, code: string] {
  const isFile = (path: string) => /\.m?ts$|\.mjs$/.test(path)
  const file = isFile(from) ? from : join(from, `planted-${index}.ts`)
  const up = '../'.repeat(file.split('/').length - 1)
  const target = isFile(to) ? to : join(to, 'x.ts')
  return [file, `${form} ${form === 'import' ? '' : '{ X } from '}'./${up}${target}'\n`]
}

/** Folders of `room` with a subfolder that holds code, the room itself among them. */
function parentsWithin(room: string): string[] {
  const below = readdirSync(join(root, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs)$/.test(entry.name))
    .map(({ parentPath }) => parentPath.slice(root.length))
  const ancestors = below.flatMap((path) => {
    const parts = path.split('/')
    return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
  })
  return [...new Set(ancestors)]
}
