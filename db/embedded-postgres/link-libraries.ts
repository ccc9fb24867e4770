import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * Creates the missing library links of the package folder `native`. npm packages cannot contain links; an install
 * script creates them, unless scripts are blocked.
 * @param spareDirectory Receives the links when the package's folder is read-only.
 * @returns Environment variables with which the binaries find all libraries.
 */
export function linkLibraries(native: string, spareDirectory: string): Record<string, string> {
  const packageRoot = dirname(native)
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  )
  const missing = links.filter(({ target }) => !existsSync(join(packageRoot, target)))
  try {
    for (const { source, target } of missing) placeLink(basename(source), join(packageRoot, target))
    return {}
  } catch {
    mkdirSync(spareDirectory, { recursive: true })
    for (const { source, target } of missing) {
      placeLink(resolve(packageRoot, source), join(spareDirectory, basename(target)))
    }
    // The loader resolves a library's own dependencies next to its link.
    const folders = `${spareDirectory}:${join(native, 'lib')}`
    return { LD_LIBRARY_PATH: folders, DYLD_LIBRARY_PATH: folders }
  }
}

function placeLink(source: string, link: string): void {
  try {
    symlinkSync(source, link)
  } catch (error) {
    // Another service that starts now may have been faster.
    if (!existsSync(link)) throw error
  }
}
