// Runs after npm has installed. A module takes a third of a millisecond to load, however small it is, in each process
// and thread. So packages of hundreds of modules become a few files. Plain JavaScript, because any Node may run it.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The packages, each with the dependencies to inline because nothing else loads them. */
const PACKAGES = {
  viem: ['ox', 'abitype', '@noble', '@scure'],
  zod: [],
  abitype: [],
  obscenity: [],
  jose: [],
  '@opentelemetry/api': [],
}
/** In the package's folder; named in its package.json once it is complete. */
const FOLDER = '_bundle'

/** @typedef {{ [condition: string]: Conditions } | string} Conditions */

/**
 * Bundles the packages of an installation. Their own files stay, for CommonJS and for types.
 * @param {string} modules Its node_modules.
 * @returns {Promise<string[]>} The failures with their reasons; a package that failed loads unbundled.
 */
export async function bundlePackages(modules) {
  const failures = []
  for (const [name, inlined] of Object.entries(PACKAGES))
    await bundlePackage(join(modules, name), inlined).catch((error) =>
      failures.push(`${name}: ${error.message}`),
    )
  return failures
}

/**
 * All entry points of a package are bundled together, so that their shared code exists once.
 * @param {string} folder
 * @param {readonly string[]} inlined
 */
async function bundlePackage(folder, inlined) {
  const manifestFile = join(folder, 'package.json')
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
  const doors = Object.entries(manifest.exports).filter(([door]) => !door.includes('*'))
  const bundles = new Map()
  for (const [, conditions] of doors) {
    const path = findModule(conditions)
    if (path?.startsWith(`./${FOLDER}/`)) return
    if (path) bundles.set(path, path.replace(/^\.\/|\.m?js$/g, '').replaceAll('/', '-'))
  }

  const { rolldown } = await import('rolldown')
  const isInlined = (id) => inlined.some((name) => `${id}/`.startsWith(`${name}/`))
  const bundle = await rolldown({
    input: Object.fromEntries([...bundles].map(([path, name]) => [name, join(folder, path)])),
    external: (id) => !id.startsWith('.') && !isAbsolute(id) && !isInlined(id),
    platform: 'node',
    treeshake: false,
    logLevel: 'silent',
  })
  // A leftover bundle that no manifest names.
  rmSync(join(folder, FOLDER), { recursive: true, force: true })
  await bundle.write({
    dir: join(folder, FOLDER),
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundle.close()

  for (const [door, conditions] of doors)
    manifest.exports[door] = replace(conditions, (path) =>
      // Bundlers for browsers get the files that the package ships.
      bundles.has(path) ? { node: `./${FOLDER}/${bundles.get(path)}.mjs`, default: path } : path,
    )
  // Replaces the file instead of changing it: other installations may be linked to this one's files.
  writeFileSync(`${manifestFile}.new`, `${JSON.stringify(manifest, null, 2)}\n`)
  renameSync(`${manifestFile}.new`, manifestFile)
}

/**
 * The module that Node imports, or null.
 * @param {Conditions | undefined} conditions
 * @returns {string | null}
 */
function findModule(conditions) {
  if (typeof conditions === 'string') return /\.m?js$/.test(conditions) ? conditions : null
  const name = Object.keys(conditions ?? {}).find((key) => ['node', 'import', 'default'].includes(key))
  return name === undefined ? null : findModule(conditions[name])
}

/**
 * @param {Conditions} conditions
 * @param {(path: string) => Conditions} change
 * @returns {Conditions}
 */
function replace(conditions, change) {
  if (typeof conditions === 'string') return change(conditions)
  return Object.fromEntries(Object.entries(conditions).map(([name, value]) => [name, replace(value, change)]))
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const modules = fileURLToPath(new URL('../node_modules', import.meta.url))
  const failures = existsSync(modules) ? await bundlePackages(modules) : []
  if (failures.length > 0)
    console.error(`Some packages stay as they are, and a start takes longer:\n${failures.join('\n')}`)
}
