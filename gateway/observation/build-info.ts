import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Gauge, type Registry } from 'prom-client'
import { jsonAnswer, type Route } from '../route/route.ts'

/** Which program runs. */
export interface BuildInfo {
  /** As in package.json. */
  version: string
  /** Hash of the commit: the variable COMMIT, else that of the build or of the working copy; null without all. */
  commit: string | null
  /** Version of Node.js. */
  node: string
}

/** Reads which program runs. */
export function readBuildInfo(): BuildInfo {
  const root = resolve(import.meta.dirname, '../..')
  const { version, commit } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
  return { version, commit: process.env['COMMIT'] ?? commit ?? readCommit(root), node: process.version }
}

/** The package.json of the project, or of dist/, which also has the commit of the build. */
interface Manifest {
  version: string
  commit?: string
}

/** The commit of a working copy, read without git; null elsewhere. */
function readCommit(folder: string): string | null {
  try {
    const entry = join(folder, '.git')
    if (!existsSync(entry)) return null
    const home = readFolder(entry)
    const head = readFileSync(join(home, 'HEAD'), 'utf8').trim()
    if (!head.startsWith('ref: ')) return head
    const common = join(home, 'commondir')
    const shared = existsSync(common) ? resolve(home, readFileSync(common, 'utf8').trim()) : home
    return findReference(shared, head.slice('ref: '.length))
  } catch {
    return null
  }
}

/** The folder of a repository's data; a further working copy has a file that names it. */
function readFolder(entry: string): string {
  try {
    const [, path = ''] = readFileSync(entry, 'utf8').trim().split('gitdir: ')
    return resolve(dirname(entry), path)
  } catch {
    return entry
  }
}

function findReference(folder: string, name: string): string | null {
  const file = join(folder, name)
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  const packed = readFileSync(join(folder, 'packed-refs'), 'utf8').split('\n')
  return packed.find((line) => line.endsWith(` ${name}`))?.split(' ')[0] ?? null
}

/** Registers the metric `build_info`, which is always 1. */
export function registerBuildInfo(registry: Registry, build: BuildInfo): void {
  new Gauge({
    name: 'build_info',
    help: 'Always 1; the labels say which program runs.',
    labelNames: ['version', 'commit', 'node'],
    registers: [registry],
  }).set({ ...build, commit: build.commit ?? '' }, 1)
}

/** `/version`: which program runs. */
export const versionRoute = ({ version, commit }: BuildInfo): Route => ({
  method: 'GET',
  path: '/version',
  name: 'version',
  background: true,
  handle: async () => jsonAnswer(200, { version, commit }),
})

/** A year is the longest that RFC 9116 recommends. */
const VALID_MS = 31_536_000_000

/** `/.well-known/security.txt` (RFC 9116). @param contact URL or `mailto:` address for reports of weaknesses. */
export const securityRoute = (contact: string): Route => ({
  method: 'GET',
  path: '/.well-known/security.txt',
  name: 'security',
  background: true,
  handle: async () => ({
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: `Contact: ${contact}\nExpires: ${new Date(Date.now() + VALID_MS).toISOString()}\nPreferred-Languages: en\n`,
  }),
})
