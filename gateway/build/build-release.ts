import { execFile, spawn } from 'node:child_process'
import { createHash, createPrivateKey, sign } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createGzip } from 'node:zlib'
import { buildDist } from './build-dist.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SUMS = 'SHA256SUMS'
const VERSION = /^\d+\.\d+\.\d+$/

/** What goes into a release. */
export interface ReleaseParts {
  /** The built service; see {@link buildDist}. */
  dist: string
  /** Is replaced. */
  folder: string
  version: string
  /** Seconds since the epoch: the time of all files, so that two releases of one commit are equal. */
  madeAt: number
  /** PEM text of an Ed25519 private key; null for a release without a signature. */
  key: string | null
}

/**
 * Packs a release: the service, the page that brings money home without it, its packages as a CycloneDX list, their licences, the changes, the breaking ones of GraphQL,
 * and checksums with a signature. The same parts give the same bytes.
 */
export async function packRelease({ dist, folder, version, madeAt, key }: ReleaseParts): Promise<void> {
  const name = `stealth-relay-${version}`
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await packFolder(dist, name, join(folder, `${name}.tar.gz`), madeAt)
  await writeFile(join(folder, `${name}.cdx.json`), await describePackages(madeAt))
  await cp(join(dist, 'THIRD-PARTY-LICENCES.txt'), join(folder, `${name}.licences.txt`))
  await cp(join(dist, 'gateway/recovery-built/recovery.html'), join(folder, `${name}.recovery.html`))
  await writeFile(join(folder, `${name}.changes.md`), await readChanges(version))
  await cp(join(ROOT, 'schema/printed/BREAKING.md'), join(folder, `${name}.breaking.md`))
  const files = (await readdir(folder)).toSorted()
  const sums = await Promise.all(
    files.map(async (file) => `${hashOf(await readFile(join(folder, file)))}  ${file}\n`),
  )
  await writeFile(join(folder, SUMS), sums.join(''))
  if (key)
    await writeFile(
      join(folder, `${SUMS}.sig`),
      sign(null, Buffer.from(sums.join('')), createPrivateKey(key)),
    )
}

const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/** Packs by GNU tar, with nothing of this machine: no users, no times, no order of the disk. */
async function packFolder(folder: string, name: string, file: string, madeAt: number): Promise<void> {
  const tar = spawn(
    'tar',
    [
      '--create',
      '--format=gnu',
      '--sort=name',
      `--mtime=@${madeAt}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=a+rX,u+w,go-w',
      // A link to the checkout.
      '--exclude=./test',
      `--transform=s,^\\.,${name},`,
      `--directory=${folder}`,
      '.',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = new Promise<number | null>((resolve, reject) => {
    tar.once('error', reject)
    tar.once('close', resolve)
  })
  await Promise.all([pipeline(tar.stdout, createGzip({ level: 9 }), createWriteStream(file)), ended])
  if ((await ended) !== 0) throw new Error('tar did not pack the release: GNU tar is needed')
}

/** The list of packages by npm, without its random number and with the time of the release. */
async function describePackages(madeAt: number): Promise<string> {
  const { stdout } = await run('npm', ['sbom', '--sbom-format=cyclonedx'], {
    cwd: ROOT,
    maxBuffer: 64 * 1024 * 1024,
  })
  const { serialNumber: _, ...list } = JSON.parse(stdout) as { serialNumber: string; metadata: object }
  const metadata = { ...list.metadata, timestamp: new Date(madeAt * 1_000).toISOString() }
  return `${JSON.stringify({ ...list, metadata }, null, 2)}\n`
}

/** The version's section of the changelog. @throws Error if there is none. */
async function readChanges(version: string): Promise<string> {
  const text = await readFile(join(ROOT, CHANGES), 'utf8')
  const section = text
    .split(/^(?=## )/m)
    .find((part) => new RegExp(`^## ${version.replaceAll('.', '\\.')}(?:,|$)`, 'm').test(part))
  if (!section) throw new Error(`${CHANGES} has no section ${version}: npm run release -- ${version}`)
  return section
}

/** Files that name the version, by the number of places in each; others follow from them. */
const VERSIONED = { 'package.json': 1, 'package-lock.json': 2, 'schema/client/package.json': 1 } as const
const CHANGES = 'CHANGELOG.md'

/** Returns a manifest or lockfile with a new version in its first places. */
export function nameVersion(text: string, version: string, places: number): string {
  if (!VERSION.test(version)) throw new Error(`${version} is no version such as 0.2.0`)
  let left = places
  return text.replaceAll(/"version": "[^"]+"/g, (found) => (left-- > 0 ? `"version": "${version}"` : found))
}

/** Returns a changelog whose unreleased changes are those of a version. */
export function nameChanges(text: string, version: string, day: string): string {
  const heading = '\n## Unreleased\n'
  if (!text.includes(heading)) throw new Error(`${CHANGES} has no section "Unreleased"`)
  return text.replace(heading, `${heading}\n## ${version}, ${day}\n`)
}

async function writeVersion(version: string): Promise<void> {
  const change = async (file: string, rename: (text: string) => string) =>
    writeFile(join(ROOT, file), rename(await readFile(join(ROOT, file), 'utf8')))
  for (const [file, places] of Object.entries(VERSIONED))
    await change(file, (text) => nameVersion(text, version, places))
  await change(CHANGES, (text) => nameChanges(text, version, new Date().toISOString().slice(0, 10)))
  console.log(`Read ${CHANGES}, commit, tag v${version}; then npm run release`)
}

async function release(folder: string): Promise<void> {
  const { stdout: changed } = await run('git', ['status', '--porcelain'], { cwd: ROOT })
  if (changed !== '') throw new Error('Commit first: a release is made of a commit')
  const { stdout: time } = await run('git', ['log', '-1', '--format=%ct'], { cwd: ROOT })
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const keyFile = process.env['RELEASE_KEY']
  const key = keyFile ? await readFile(keyFile, 'utf8') : null
  const scratch = await mkdtemp(join(tmpdir(), 'release-'))
  try {
    const dist = join(scratch, 'dist')
    await buildDist(dist)
    await packRelease({ dist, folder, version, madeAt: Number(time), key })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
  console.log(`${folder} has version ${version}${key ? '' : ', unsigned: RELEASE_KEY names no key'}`)
}

if (import.meta.main) {
  const [version] = process.argv.slice(2)
  try {
    await (version === undefined ? release(join(ROOT, 'release')) : writeVersion(version))
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
