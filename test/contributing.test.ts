import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts
const documents = readdirSync(root).filter((file) => file.endsWith('.md'))

test('every file and folder that CONTRIBUTING names exists', () => {
  const trees = [...read('CONTRIBUTING.md').matchAll(/```\n([\s\S]*?)```/g)].map(([, tree]) => tree ?? '')
  const paths = trees.flatMap((tree) => [...tree.matchAll(/^([a-z-]+\/\S*)/gm)].map(([, path]) => path ?? ''))
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})

test.each(['README.md', 'CONTRIBUTING.md', 'OPERATING.md'])(
  'every npm script that %s names exists',
  (file) => {
    const named = [
      ...read(file).matchAll(/npm (?:run )?(start|test|demo|admin|[a-z]+:[a-z]+|check|print|bench)\b/g),
    ].map(([, name]) => name ?? '')
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  },
)

test('what README shows of clients is what the examples do', () => {
  const example = new Set(linesOf(read('test/e2e/examples/first-steps.ts')))
  const snippets = [...read('README.md').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text]) => text ?? '')
  expect(snippets.length).toBeGreaterThan(0)
  expect(snippets.flatMap(linesOf).filter((line) => !example.has(line))).toEqual([])
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
