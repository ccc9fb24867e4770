import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nameChanges, nameVersion, packRelease } from '../../../gateway/build/build-release.ts'

const run = promisify(execFile)
/** A version that the changelog has. */
let version: string
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'release-test-'))
  const changelog = await readFile(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8')
  version = /^## (\d+\.\d+\.\d+)(?:,|$)/m.exec(changelog)![1]!
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The same files as another machine has them: another order, other times and other rights. */
async function writeDist(name: string, files: readonly string[], mode: number): Promise<string> {
  const dist = join(folder, name)
  for (const place of ['pages', 'gateway/recovery-built']) await mkdir(join(dist, place), { recursive: true })
  for (const file of files) {
    await writeFile(join(dist, file), `content of ${file}`, { mode })
    await utimes(join(dist, file), mode, mode)
  }
  return dist
}

const RECOVERY = 'gateway/recovery-built/recovery.html'
const FILES = ['start.mjs', 'THIRD-PARTY-LICENCES.txt', 'pages/a.html', RECOVERY]

it('two releases of the same files are equal byte for byte, checked by sha256sum and by openssl', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const pack = async (name: string, dist: string) => {
    const release = join(folder, name)
    await packRelease({ dist, folder: release, version, madeAt: 1_700_000_000, key })
    return release
  }
  const one = await pack('one', await writeDist('dist-one', FILES, 0o600))
  const two = await pack('two', await writeDist('dist-two', FILES.toReversed(), 0o664))
  const names = (await readdir(one)).toSorted()
  expect(names).toEqual([
    'SHA256SUMS',
    'SHA256SUMS.sig',
    `stealth-relay-${version}.breaking.md`,
    `stealth-relay-${version}.cdx.json`,
    `stealth-relay-${version}.changes.md`,
    `stealth-relay-${version}.licences.txt`,
    `stealth-relay-${version}.recovery.html`,
    `stealth-relay-${version}.tar.gz`,
  ])
  for (const name of names)
    expect((await readFile(join(one, name))).equals(await readFile(join(two, name))), name).toBe(true)

  await writeFile(join(folder, 'public.pem'), publicKey.export({ type: 'spki', format: 'pem' }))
  await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: one })
  const verify = ['-verify', '-pubin', '-inkey', join(folder, 'public.pem'), '-rawin']
  const files = ['-in', 'SHA256SUMS', '-sigfile', 'SHA256SUMS.sig']
  await expect(run('openssl', ['pkeyutl', ...verify, ...files], { cwd: one })).resolves.toMatchObject({
    stdout: expect.stringContaining('Verified Successfully') as string,
  })

  const { stdout: listing } = await run('tar', ['-tvzf', `stealth-relay-${version}.tar.gz`], { cwd: one })
  expect(listing).toContain(`stealth-relay-${version}/pages/a.html`)
  expect(listing).toMatch(/-rw-r--r-- 0\/0 .* 2023-11-14 /)
  const list = JSON.parse(await readFile(join(one, `stealth-relay-${version}.cdx.json`), 'utf8')) as {
    bomFormat: string
    components: { name: string; licenses: unknown[] }[]
  }
  expect(list.bomFormat).toBe('CycloneDX')
  expect(list.components.find(({ name }) => name === 'viem')?.licenses).toHaveLength(1)
})

it('a new version is written into the first places of manifests and the lockfile, and above the unreleased changes', () => {
  const lockfile = '{"version": "1.0.0", "": {"version": "1.0.0"}, "other": {"version": "1.0.0"}}'
  expect(nameVersion(lockfile, '1.1.0', 2)).toBe(
    '{"version": "1.1.0", "": {"version": "1.1.0"}, "other": {"version": "1.0.0"}}',
  )
  expect(nameChanges('# Changes\n\n## Unreleased\n\n- news\n', '1.1.0', '2026-11-28')).toBe(
    '# Changes\n\n## Unreleased\n\n## 1.1.0, 2026-11-28\n\n- news\n',
  )
  expect(() => nameVersion(lockfile, 'next', 2)).toThrow('no version')
  expect(() => nameChanges('# Changes\n', '1.1.0', '2026-11-28')).toThrow('no section')
})
