import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** Its folder in the output of `npm run build`. */
const BUILT = join(import.meta.dirname, '../wallet-built')
const PROGRAM = join(import.meta.dirname, '../build/build-wallet.ts')
const SOURCES = ['gateway/wallet', 'gateway/build/build-wallet.ts', 'schema/client', 'package-lock.json']
const CACHE = join(ROOT, '.cache/wallet')
const OLD_MS = 24 * 3_600_000

let found: Promise<string> | undefined

/**
 * Finds the built wallet: beside the bundled service, else in the folder .cache, where it is built if its sources have
 * changed. A process looks once; after a failure it tries again.
 *
 * @returns Its folder.
 * @throws Error if it cannot be built, as without development packages.
 */
export function findWallet(): Promise<string> {
  found ??= (existsSync(BUILT) ? Promise.resolve(BUILT) : buildOnce()).catch((error: unknown) => {
    found = undefined
    throw error
  })
  return found
}

async function buildOnce(): Promise<string> {
  const folder = join(CACHE, await hashSources())
  if (existsSync(folder)) return folder
  const draft = `${folder}.${process.pid}`
  await mkdir(CACHE, { recursive: true })
  // A process of its own: the packages that build it take memory that a service needs only once.
  const child = fork(PROGRAM, [draft], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let said = ''
  child.stderr?.on('data', (part: Buffer) => (said += part.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`the wallet cannot be built: ${said.slice(0, 2_000)}`)
  // Another process may have been faster.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }))
  await clearOld(folder)
  return folder
}

/** Earlier versions, and drafts that a killed process left behind: not those of a service that runs beside this one. */
async function clearOld(kept: string): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const place = join(CACHE, name)
    const { mtimeMs } = await stat(place)
    if (place !== kept && Date.now() - mtimeMs > OLD_MS) await rm(place, { recursive: true, force: true })
  }
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of SOURCES)
    for (const file of await listFiles(join(ROOT, source))) hash.update(file).update(await readFile(file))
  return hash.digest('hex').slice(0, 16)
}

async function listFiles(place: string): Promise<string[]> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true }).catch(() => null)
  if (!entries) return [place]
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
}
