import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const OLD_MS = 24 * 3_600_000
const WALLET = ['gateway/wallet', 'gateway/build/build-wallet.ts', 'schema/client', 'package-lock.json']

/** Something that is built from sources for the browser. */
interface Built {
  /** Of its folder beside the bundled service, `{name}-built`, of its program, and in .cache. */
  name: string
  /** Files and folders; the result is kept until one of them changes. */
  sources: readonly string[]
}

/**
 * Finds the built wallet: beside the bundled service, else in the folder .cache, where it is built if its sources have
 * changed. A process looks once; after a failure it tries again.
 *
 * @returns Its folder.
 * @throws Error if it cannot be built, as without development packages.
 */
export const findWallet = createFinder({ name: 'wallet', sources: WALLET })

/** Finds the built way out, as {@link findWallet} does; it shares parts with the wallet. */
export const findRecovery = createFinder({
  name: 'recovery',
  sources: ['gateway/recovery', 'gateway/build/build-recovery.ts', ...WALLET],
})

function createFinder(what: Built): () => Promise<string> {
  const beside = join(import.meta.dirname, `../${what.name}-built`)
  let found: Promise<string> | undefined
  return () => {
    found ??= (existsSync(beside) ? Promise.resolve(beside) : buildOnce(what)).catch((error: unknown) => {
      found = undefined
      throw error
    })
    return found
  }
}

async function buildOnce({ name, sources }: Built): Promise<string> {
  const cache = join(ROOT, '.cache', name)
  const folder = join(cache, await hashSources(sources))
  if (existsSync(folder)) return folder
  const draft = `${folder}.${process.pid}`
  await mkdir(cache, { recursive: true })
  // A process of its own: the packages that build it take memory that a service needs only once.
  const program = join(import.meta.dirname, `../build/build-${name}.ts`)
  const child = fork(program, [draft], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let said = ''
  child.stderr?.on('data', (part: Buffer) => (said += part.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${name} cannot be built: ${said.slice(0, 2_000)}`)
  // Another process may have been faster.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }))
  await clearOld(cache, folder)
  return folder
}

/** Earlier versions, and drafts that a killed process left behind: not those of a service that runs beside this one. */
async function clearOld(cache: string, kept: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const place = join(cache, name)
    const { mtimeMs } = await stat(place)
    if (place !== kept && Date.now() - mtimeMs > OLD_MS) await rm(place, { recursive: true, force: true })
  }
}

async function hashSources(sources: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const source of sources)
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
