import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inheritedEnvironment } from '../harness/inherited-environment.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** MB that an installation may take on the disk. */
const MOST_MB = 600
let folder: string
/** Paths of the production packages, within node_modules. */
const production: string[] = []

/** The project as `npm ci --omit=dev` leaves it: its own folders and the production packages. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'production-install-'))
  for (const name of ['gateway', 'schema', 'relayer', 'proving', 'db', 'package.json'])
    await cp(join(ROOT, name), join(folder, name), { recursive: true })
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; link?: boolean }>
  }
  for (const [place, { dev, devOptional }] of Object.entries(packages)) {
    // Nested packages come with the package that contains them.
    const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place) ?? []
    if (!name || dev || devOptional) continue
    production.push(name)
    const to = join(folder, 'node_modules', name)
    await mkdir(dirname(to), { recursive: true })
    await symlink(join(ROOT, 'node_modules', name), to)
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function run(env: Record<string, string>) {
  const child = spawn(process.execPath, ['gateway/start.mjs'], {
    cwd: folder,
    env: { ...inheritedEnvironment(), DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

it('an install without the devnet says that no chains are configured, and how they are', async () => {
  const { code, output } = await run({ PORT: '0' })
  expect(code).toBe(1)
  expect(output).toContain('No chains are configured: set CONFIG to a JSON file that names them')
  expect(output).not.toMatch(/Cannot find|\n\s+at |node:internal/)
})

it('an install without development packages names the missing packages and their replacement in the configuration', async () => {
  const devnet = join(folder, 'test', 'devnet')
  await cp(join(ROOT, 'test', 'devnet'), devnet, { recursive: true })
  const { code, output } = await run({ PORT: '0' })
  await rm(devnet, { recursive: true })
  expect(code).toBe(1)
  expect(output).toContain(
    'The devnet did not start: it needs development packages that are not installed: @foundry-rs/anvil-',
  )
  expect(output).toContain('npm ci')
  expect(output).toContain('CONFIG')
  expect(output).not.toMatch(/Cannot find|\n\s+at |node:internal/)
})

/** Files of a package that is installed here, within node_modules. */
async function listFiles(name: string): Promise<string[]> {
  const place = join(ROOT, 'node_modules', name)
  // Packages of other platforms are not here.
  if (!existsSync(place)) return []
  const entries = await readdir(place, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(ROOT, 'node_modules'), join(entry.parentPath, entry.name)))
}

it('the production packages take less than the documented size', async () => {
  const files = (await Promise.all(production.map(listFiles))).flat()
  let bytes = 0
  for (const file of files) bytes += (await lstat(join(ROOT, 'node_modules', file))).blocks * 512
  expect(production).toContain('viem')
  expect(bytes / 2 ** 20).toBeLessThan(MOST_MB)
})
