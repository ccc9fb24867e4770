import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { build, type Plugin, type Rolldown } from 'vite'

const SOURCE = join(import.meta.dirname, '../wallet')

const VIEM = fileURLToPath(import.meta.resolve('viem'))

/**
 * Takes the curves and hashes that viem has, as the published client package does: else the page would carry the same
 * curve three times.
 */
export const oneCurve: Plugin = {
  name: 'one-curve',
  enforce: 'pre',
  resolveId(source) {
    return /^@noble\/(?:curves|hashes)\//.test(source) ? this.resolve(source, VIEM, { skipSelf: true }) : null
  },
}

/**
 * Builds the wallet's page. Its files have names with hashes, except index.html; beside each stands it as Brotli packs it, `.br`.
 *
 * @param folder Is replaced.
 * @returns The modules in it, for their licences.
 */
export async function buildWallet(folder: string): Promise<string[]> {
  const { NODE_ENV } = process.env
  // React and vite read it: with another value, as in tests, the page would carry checks for developers.
  process.env['NODE_ENV'] = 'production'
  try {
    const modules = await bundle(folder)
    await packFiles(join(folder, 'assets'))
    return modules
  } finally {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = NODE_ENV
  }
}

async function bundle(folder: string): Promise<string[]> {
  const ofWorkers: string[] = []
  const collect: Plugin = {
    name: 'collect-workers',
    generateBundle(_, bundle) {
      ofWorkers.push(...listModules(Object.values(bundle)))
    },
  }
  const built = (await build({
    configFile: false,
    root: SOURCE,
    base: '/wallet/',
    mode: 'production',
    logLevel: 'error',
    plugins: [oneCurve],
    worker: { format: 'es', plugins: () => [oneCurve, collect] },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      // The policy of the page admits files of this service only.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: {
          index: join(SOURCE, 'index.html'),
          'service-worker': join(SOURCE, 'offline/service-worker.ts'),
        },
        // A service worker keeps its name: a browser looks for its news there.
        output: {
          entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
        },
      },
      reportCompressedSize: false,
    },
  })) as Rolldown.RolldownOutput
  return [...listModules(built.output), ...ofWorkers]
}

/** By Brotli's best level, its default: half a second for the largest file. */
async function packFiles(folder: string): Promise<void> {
  const pack = async (file: string) =>
    writeFile(`${file}.br`, await promisify(brotliCompress)(await readFile(file)))
  await Promise.all((await readdir(folder)).map(async (name) => pack(join(folder, name))))
}

const listModules = (parts: readonly (Rolldown.OutputAsset | Rolldown.OutputChunk)[]) =>
  parts.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))

if (import.meta.main)
  await buildWallet(process.argv[2] ?? join(import.meta.dirname, '../../dist/gateway/wallet'))
