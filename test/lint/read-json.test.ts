import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readJson } from '../../.lint/read-json.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lint-json-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function read(text: string): Promise<unknown> {
  const file = join(folder, 'planted.json')
  await writeFile(file, text)
  return readJson(pathToFileURL(file))
}

test('a key that stands twice in an object is refused with its place, at every depth', async () => {
  await expect(read('{ "a": 1, "b": 2, "a": 3 }')).rejects.toThrow('planted.json: a key stands twice')
  await expect(read('{ "order": { "relayer/inspect": ["*"], "relayer/inspect": [] } }')).rejects.toThrow(
    '"relayer/inspect"',
  )
  await expect(read('[{ "same": null,\n "same": null }]')).rejects.toThrow('"same"')
})

test('a key that stands once in each of several objects is read', async () => {
  const value = { a: { a: [1, true, null, 'two words, "quoted": \\ '] }, b: { a: {} } }
  expect(await read(JSON.stringify(value, null, 3))).toEqual(value)
})

test('no JSON file of the linter has a key twice', async () => {
  const lint = new URL('../../.lint/', import.meta.url)
  const files = (await readdir(lint)).filter((file) => file.endsWith('.json'))
  expect(files).toContain('layers.json')
  for (const file of files) expect(() => readJson(new URL(file, lint))).not.toThrow()
})
