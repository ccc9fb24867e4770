import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { cp, mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createServiceProcess, START_ARGUMENTS } from '../harness/service-process.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

/** A hash of every file and link of a folder, by path. */
async function hashTree(folder: string): Promise<Map<string, string>> {
  const hashes = new Map<string, string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const path = relative(folder, file)
    if (entry.isSymbolicLink()) hashes.set(path, `-> ${await readlink(file)}`)
    if (!entry.isFile()) continue
    const hash = createHash('sha256')
    await pipeline(createReadStream(file), hash)
    hashes.set(path, hash.digest('hex'))
  }
  return hashes
}

test('npm ci installs what npm ci --ignore-scripts installs, and a service starts from it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'installation-'))
  try {
    const { stdout } = await run('git', ['ls-files', '-z'], { cwd: ROOT, maxBuffer: 2 ** 26 })
    const files = stdout.split('\0').filter((file) => file !== '')
    for (const name of ['one', 'other'])
      for (const file of files) await cp(join(ROOT, file), join(folder, name, file))
    await run('npm', ['ci'], { cwd: join(folder, 'one') })
    const one = await hashTree(join(folder, 'one', 'node_modules'))
    await run('npm', ['ci', '--ignore-scripts'], { cwd: join(folder, 'other') })
    const other = await hashTree(join(folder, 'other', 'node_modules'))
    // The installation's own record of its folders.
    for (const tree of [one, other]) expect(tree.delete('.package-lock.json')).toBe(true)
    expect([...other].filter(([path, hash]) => one.get(path) !== hash)).toEqual([])
    expect(other.size).toBe(one.size)

    const [program, ...others] = START_ARGUMENTS.toReversed()
    const nodeArguments = [...others.toReversed(), join(folder, 'other', program ?? '')]
    const service = await createServiceProcess({ DATA_DIR: join(folder, 'data') }, nodeArguments)
    await service.start()
    expect(await service.stop()).toBe(0)
    const after = await hashTree(join(folder, 'other', 'node_modules'))
    const changed = [...after].filter(
      ([path, hash]) => other.get(path) !== hash && !path.startsWith('.cache/'),
    )
    expect(changed.filter(([path]) => path !== '.package-lock.json')).toEqual([])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
