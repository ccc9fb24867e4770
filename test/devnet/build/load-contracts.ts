import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { circuitFile } from '../wallet/circuit-files.ts'
import type { ContractBuild } from './contract-build.ts'

const cacheFolder = new URL('../../../node_modules/.cache/devnet-contracts/', import.meta.url)
const sourceFolders = [new URL('../contracts/', import.meta.url), new URL('./', import.meta.url)]
const lockfile = new URL('../../../package-lock.json', import.meta.url)

/**
 * The compiled contracts: from the cache (milliseconds), else from the compiler in a child process (about five seconds).
 * The cache is found by a hash of everything that goes in; where it cannot be written, compiling is repeated.
 */
export async function loadContracts(onCompile?: () => void): Promise<ContractBuild> {
  const cached = new URL(`${await hashInputs()}.json`, cacheFolder)
  const text = await readFile(cached, 'utf8').catch(() => null)
  if (text !== null) return JSON.parse(text) as ContractBuild
  onCompile?.()
  const build = await compileInChild()
  await storeBuild(cached, build).catch(() => undefined)
  return build
}

/** Our sources and settings, the circuits' keys, and the lockfile, which stands for every package that is read. */
async function hashInputs(): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of sourceFolders) {
    for (const file of (await readdir(folder)).sort()) {
      hash.update(`${file}\0`).update(await readFile(new URL(file, folder)))
    }
  }
  for (const circuit of ['withdraw', 'commitment'] as const)
    hash.update(await readFile(circuitFile(circuit, 'zkey')))
  return hash
    .update(await readFile(lockfile))
    .digest('hex')
    .slice(0, 32)
}

async function compileInChild(): Promise<ContractBuild> {
  const program = fileURLToPath(new URL('./compile-process.ts', import.meta.url))
  const child = fork(program, { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let complaint = ''
  child.stderr?.on('data', (text: Buffer) => (complaint += text.toString()))
  return new Promise((resolve, reject) => {
    child.once('message', (build) => resolve(build as ContractBuild))
    child.once('error', reject)
    child.once('close', (code) =>
      reject(new Error(`compiling the contracts failed (exit code ${code}): ${complaint}`)),
    )
  })
}

async function storeBuild(file: URL, build: ContractBuild): Promise<void> {
  await mkdir(cacheFolder, { recursive: true })
  const draft = new URL(`${file.href}.${process.pid}`)
  await writeFile(draft, JSON.stringify(build))
  await rename(draft, file)
}

// The image of the devnet compiles them when it is built.
if (import.meta.main) await loadContracts()
