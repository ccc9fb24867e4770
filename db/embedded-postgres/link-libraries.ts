import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * Completes the libraries of the package folder `native`. npm packages cannot hold links: an install script makes
 * them, unless scripts are blocked.
 * @param spareDirectory Takes the links that the package's folder lacks when it is read-only.
 * @returns Environment that the binaries need to find all of them.
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
    // A library looks for its own where its link lies.
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
