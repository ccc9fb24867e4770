import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts
const documents = readdirSync(root).filter((file) => file.endsWith('.md'))

/** The blocks of a document between fences, with the words behind the opening one. */
function blocksOf(text: string): { language: string; lines: string[] }[] {
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, language = '', body = '']) => ({
    language,
    lines: linesOf(body),
  }))
}

test.each([
  'An endpoint',
  'A table',
  'A migration',
  'An error',
  'A kind of quote',
  'A chain',
  'A venue',
  'An example',
])('every path that CONTRIBUTING names for "%s" exists', (title) => {
  const [, section = ''] = read('CONTRIBUTING.md').split(`\n## ${title}\n`)
  const trees = blocksOf(section.split('\n## ')[0] ?? '').filter(({ language }) => language === '')
  const paths = trees.flatMap(({ lines }) => lines.map((line) => line.split(' ')[0] ?? ''))
  expect(paths.length).toBeGreaterThan(1)
  expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})

test('every function that CONTRIBUTING gives as an example of a verb is exported', () => {
  const named = [...read('CONTRIBUTING.md').matchAll(/^\| `.*\| `(\w+)` \|$/gm)].map(([, name = '']) => name)
  const sources = ['gateway', 'schema', 'relayer', 'proving', 'db'].flatMap((room) =>
    readdirSync(new URL(room, root), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => read(`${room}/${file}`)),
  )
  const missing = named.filter(
    (name) => !sources.some((source) => new RegExp(`^export .*function ${name}\\b`, 'm').test(source)),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(missing).toEqual([])
})

test.each(['README.md', 'CONTRIBUTING.md', 'OPERATING.md'])(
  'every npm script that %s names exists',
  (file) => {
    const named = [
      ...read(file).matchAll(
        /npm (?:run )?(start|test|demo|devnet|admin|[a-z]+:[a-z]+|check|print|bench)\b/g,
      ),
    ].map(([, name]) => name ?? '')
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  },
)

test('every client snippet in README is part of a tested example', () => {
  const example = new Set(linesOf(read('test/e2e/examples/first-steps.ts')))
  const snippets = blocksOf(read('README.md')).filter(({ language }) => language === 'ts')
  expect(snippets.length).toBeGreaterThan(0)
  expect(snippets.flatMap(({ lines }) => lines).filter((line) => !example.has(line))).toEqual([])
})

test.each(documents)('every file and heading that %s points to exists', (file) => {
  const targets = [...read(file).matchAll(/\]\(([^)\s]+)[^)]*\)/g)].map(([, target]) => target ?? '')
  const ours = targets.filter((target) => !/^https?:/.test(target))
  const broken = ours.filter((target) => {
    const [path = '', heading] = target.split('#')
    const pointed = path || file
    return (
      !existsSync(new URL(pointed, root)) ||
      (heading !== undefined && !headingsOf(read(pointed)).includes(heading))
    )
  })
  expect(broken).toEqual([])
})

test.each(documents)('%s names no document that is not in the repository', (file) => {
  const named = read(file)
    .replaceAll(/https?:\/\/\S+/g, '')
    .match(/[\w./-]+\.md\b/g)
  expect((named ?? []).filter((name) => !existsSync(new URL(name, root)))).toEqual([])
})

/** Headings as GitHub writes them into links. */
const headingsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
