import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildDist } from '../../gateway/build/build-dist.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'release-deep-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Hashes of all files of a build, by their places. */
async function build(name: string): Promise<Record<string, string>> {
  const dist = join(folder, name)
  await buildDist(dist)
  const hashes: Record<string, string> = {}
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const file = join(entry.parentPath, entry.name)
      hashes[file.slice(dist.length)] = createHash('sha256')
        .update(await readFile(file))
        .digest('hex')
    }
  return hashes
}

it('two builds of the service are equal byte for byte', async () => {
  const one = await build('one')
  expect(Object.keys(one).length).toBeGreaterThan(100)
  expect(await build('longer-name-two')).toEqual(one)
})
