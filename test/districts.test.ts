import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const rooms = ['schema', 'db', 'gateway', 'proving', 'bench', 'test']
const districts = [
  ...rooms,
  ...readdirSync(join(root, 'relayer'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `relayer/${name}`),
  'test/devnet',
]
const readmeOf = (district: string) => readFileSync(join(root, district, 'README.md'), 'utf8')
/** The decisions of a district: a file of their own, or a section of the README. */
const decisionsOf = (district: string) => {
  const file = join(root, district, 'DECISIONS.md')
  return existsSync(file) ? readFileSync(file, 'utf8') : sectionOf(readmeOf(district), 'Decisions')
}
const sectionOf = (text: string, title: string) =>
  [...text.matchAll(/^## ([^\n]+)\n([\s\S]*?)(?=^## |$(?![\s\S]))/gm)]
    .filter(([, heading]) => heading?.startsWith(title))
    .map(([, , body]) => body)
    .join('')

test('every district and every room has a README of its own', () => {
  expect(districts.length).toBeGreaterThan(12)
  expect(districts.filter((district) => !existsSync(join(root, district, 'README.md')))).toEqual([])
})

test.each(districts)('the README of %s says what to read first', (district) => {
  expect(readmeOf(district).startsWith(`# ${district.split('/').at(-1)}\n\n`)).toBe(true)
  expect(pathsIn(sectionOf(readmeOf(district), 'Read first')).length).toBeGreaterThan(0)
})

test.each(districts)('every path that the documents of %s name exists', (district) => {
  const documents = readdirSync(join(root, district)).filter((name) => name.endsWith('.md'))
  const text = documents.map((name) => readFileSync(join(root, district, name), 'utf8')).join('\n')
  const missing = pathsIn(text).filter(
    (path) => !existsSync(join(root, district, path)) && !existsSync(join(root, path)),
  )
  expect(missing).toEqual([])
})

test.each(districts)('every decision of %s has a reason and a consequence', (district) => {
  const decisions = decisionsOf(district).split(/^- /m).slice(1)
  const incomplete = decisions.filter((text) => !/^\*\*[\s\S]+?\*\*[\s\S]*Why:[\s\S]+So:/.test(text))
  expect(incomplete).toEqual([])
})

test('every table of the database is described once, by the README of a district or by its comment', () => {
  const sql = ['db/schema', 'db/migrations']
    .flatMap((folder) => readdirSync(join(root, folder)).map((file) => join(root, folder, file)))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const dropped = new Set([...sql.matchAll(/^drop table (?:if exists )?(\w+)/gim)].map(([, table]) => table))
  const tables = [...sql.matchAll(/^create table (?:if not exists )?(\w+)/gim)]
    .map(([, table]) => table ?? '')
    .filter((table) => !dropped.has(table))
  const listed = districts.flatMap((district) =>
    [...sectionOf(readmeOf(district), 'Tables').matchAll(/`(\w+)`/g)].map(([, table]) => table ?? ''),
  )
  const commented = [...sql.matchAll(/^comment on table (\w+) is '/gim)].map(([, table]) => table ?? '')
  expect(tables.length).toBeGreaterThan(50)
  expect([...listed, ...commented].toSorted((one, other) => one.localeCompare(other))).toEqual(
    tables.toSorted((one, other) => one.localeCompare(other)),
  )
})

test('every trigger of the database has a line in the README of its folder', () => {
  const functions = join(root, 'db/functions')
  const files = readdirSync(functions, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.sql'),
  )
  const triggers = files.filter((file) => readFileSync(join(functions, file), 'utf8').includes(' trigger '))
  const unlisted = triggers.filter((file) => {
    const [district = '', name = ''] = file.replace('.sql', '').split('/')
    return !readmeOf(`db/functions/${district}`).includes(`| \`${name}\` |`)
  })
  expect(triggers.length).toBeGreaterThan(20)
  expect(unlisted).toEqual([])
})

/** Folders and files that a text names in backticks. Routes begin with a slash, settings have no extension. */
function pathsIn(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '')
  const names = [...prose.matchAll(/`([\w./-]+)`/g)].map(([, name]) => name ?? '')
  return names.filter((name) => /^\w[\w./-]*(?:\/|\.(?:ts|mjs|sql|json|md))$/.test(name))
}
