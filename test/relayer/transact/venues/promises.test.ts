import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../../../', import.meta.url)
const readme = readFileSync(new URL('relayer/transact/venues/README.md', root), 'utf8')

it('every test that is named for a promise of the venues exists and asserts something', () => {
  const named = [...new Set(readme.match(/test\/[\w./-]+\.test\.ts/g))]
  expect(named.length).toBeGreaterThan(15)
  for (const path of named) expect(readFileSync(new URL(path, root), 'utf8'), path).toMatch(/\b(?:it|test)\b/)
})

it('the twelve points and the ten demands each have a row', () => {
  const rows = readme.match(/^\| \d+ \|/gm)?.map((row) => Number(/\d+/.exec(row)?.[0]))
  const upTo = (most: number) => Array.from({ length: most }, (_, index) => index + 1)
  expect(rows).toEqual([...upTo(12), ...upTo(10)])
})
