import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
const document = read('SECURITY.md')

/** The tests that stand behind names in brackets: below the text, with the beginning of a title where the file has many. */
const tests = [...document.matchAll(/^\[([^\]]+)\]: (\S+)(?: "(.+)")?$/gm)].map(
  ([, name = '', path = '', title]) => ({ name, path, begins: title?.replace(/ …$/, '') }),
)
const text = document.replaceAll(/^\[[^\]]+\]: .*$/gm, '')
/** Names in brackets that are no links of their own. */
const named = [...text.matchAll(/\[([^\]]+)\](?!\()/g)].map(([, name = '']) => name)

/** The titles of a file's tests and of their groups. */
const titlesOf = (path: string) =>
  [...read(path).matchAll(/^.*?(['"`])(\S.*)\1,?.*$/gm)].map(([, , title = '']) => title)

test('every test that SECURITY.md names exists, with its title', () => {
  expect(tests.length).toBeGreaterThan(50)
  const missing = tests.filter(
    ({ path, begins }) =>
      !/^test\/.*\.test\.ts$/.test(path) ||
      !existsSync(new URL(path, root)) ||
      (begins !== undefined && !titlesOf(path).some((title) => title.startsWith(begins))),
  )
  expect(missing).toEqual([])
})

test('every name in brackets of SECURITY.md is that of a test, and every test stands behind a sentence', () => {
  expect([...new Set(named)].toSorted()).toEqual(tests.map(({ name }) => name).toSorted())
})

test('every section of SECURITY.md about somebody names a test', () => {
  const [, about = ''] = text.split('\n## Who can learn or do what\n')
  const sections = (about.split('\n## ')[0] ?? '').split('\n### ').slice(1)
  expect(sections.length).toBeGreaterThan(10)
  const bare = sections.filter((section) => !/\[[^\]]+\](?!\()/.test(section))
  expect(bare.map((section) => section.split('\n')[0])).toEqual([])
})

test('the service draws nothing from Math.random', () => {
  const files = globSync('{gateway,schema,relayer,proving,db}/**/*.ts', { cwd: root })
  expect(files.length).toBeGreaterThan(500)
  const careless = files.filter((file) => read(file).includes('Math.random'))
  expect(careless).toEqual([])
})
