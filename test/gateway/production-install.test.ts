import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inheritedEnvironment } from '../harness/inherited-environment.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
let folder: string

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

it('an install without development packages names the missing packages and what to configure instead', async () => {
  const { code, output } = await run({ PORT: '0' })
  expect(code).toBe(1)
  expect(output).toContain('the devnet needs development packages that are not installed: @foundry-rs/anvil-')
  expect(output).toContain('npm ci')
  expect(output).toContain('CONFIG')
  expect(output).not.toMatch(/Cannot find|\n\s+at |node:internal/)
})
