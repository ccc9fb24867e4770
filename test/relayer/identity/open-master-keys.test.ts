import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepKeyFile } from '../../../relayer/identity/open-master-keys.ts'

let folder: string
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'key-file-'))))
afterAll(() => rmSync(folder, { recursive: true }))

const makeKey = () => randomBytes(32).toString('hex')

test('a key file is created once, readable by its owner only', () => {
  const file = join(folder, 'new', 'some-key')
  const first = keepKeyFile(file, makeKey)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(folder, 'new'))).toEqual(['some-key'])
  expect(keepKeyFile(file, makeKey)).toBe(first)
})

test('processes that start together agree on one key', async () => {
  const module = new URL('../../../relayer/identity/open-master-keys.ts', import.meta.url).href
  const file = JSON.stringify(join(folder, 'race', 'some-key'))
  const script = `import(${JSON.stringify(module)}).then(({ keepKeyFile }) => console.log(keepKeyFile(${file}, () => crypto.randomUUID())))`
  const runs = await Promise.all(
    Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, ['--eval', script])),
  )
  expect(new Set(runs.map(({ stdout }) => stdout)).size).toBe(1)
})
