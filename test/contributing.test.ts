import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts

test('every file and folder that CONTRIBUTING names exists', () => {
  const trees = [...read('CONTRIBUTING.md').matchAll(/```\n([\s\S]*?)```/g)].map(([, tree]) => tree ?? '')
  const paths = trees.flatMap((tree) => [...tree.matchAll(/^([a-z-]+\/\S*)/gm)].map(([, path]) => path ?? ''))
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})

test.each(['README.md', 'CONTRIBUTING.md'])('every npm script that %s names exists', (file) => {
  const named = [
    ...read(file).matchAll(/npm (?:run )?(start|test|demo|[a-z]+:[a-z]+|check|print|bench)\b/g),
  ].map(([, name]) => name ?? '')
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})

test('what README shows of clients is what the examples do', () => {
  const example = new Set(linesOf(read('test/e2e/examples/first-steps.ts')))
  const snippets = [...read('README.md').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text]) => text ?? '')
  expect(snippets.length).toBeGreaterThan(0)
  expect(snippets.flatMap(linesOf).filter((line) => !example.has(line))).toEqual([])
})

test.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'PROTOCOL.md'])(
  'every file that %s points to exists',
  (file) => {
    const targets = [...read(file).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target]) => target ?? '')
    const ours = targets.filter((target) => !target.startsWith('http'))
    expect(ours.length).toBeGreaterThan(0)
    expect(ours.filter((target) => !existsSync(new URL(target, root)))).toEqual([])
  },
)

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
