import { execFile } from 'node:child_process'
import { cp, lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { UnratedRow } from '../measure/row.ts'
import { summarize } from '../measure/take-sample.ts'
import type { Settings } from '../settings.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** The project's files that npm reads. */
const NEEDED = ['package.json', 'package-lock.json', '.npmrc']

/** An installation for production, by `npm ci --omit=dev` in a folder of its own: its duration, and its size on the disk. */
export async function benchInstall({ tell }: Settings): Promise<UnratedRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-install-'))
  try {
    for (const path of NEEDED) await cp(join(ROOT, path), join(folder, path))
    tell('npm ci --omit=dev')
    const started = performance.now()
    await promisify(execFile)('npm', ['ci', '--omit=dev'], { cwd: folder })
    const sample = { operations: 1, cpuMs: null, wallMs: performance.now() - started }
    const mb = (await sizeOf(join(folder, 'node_modules'))) / 2 ** 20
    const row = summarize({ name: 'install.production', baseline: null, compared: 'wall' }, [sample])
    return [{ ...row, note: `${mb.toFixed(0)} MB on the disk; peer: none` }]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the bytes of the files below a folder on the disk. */
async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await lstat(join(entry.parentPath, entry.name))).blocks * 512
  return bytes
}
