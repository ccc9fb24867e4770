import { ConfigError } from '../config/config-error.ts'
import type { ServiceConfig } from '../config/config.ts'

/**
 * Checks before anything is started that the devnet's packages are installed, if no chains are configured.
 *
 * @throws ConfigError that names what is missing and what to do.
 */
export async function demandDevnetPackages({ chains }: Pick<ServiceConfig, 'chains'>): Promise<void> {
  if (chains.length > 0) return
  const { findMissingPackages } = await import('../../relayer/devnet/missing-packages.ts')
  const missing = findMissingPackages()
  if (missing.length === 0) return
  throw new ConfigError(
    'No chains are configured, so a devnet would be started, and the devnet needs development packages that are not ' +
      `installed: ${missing.join(', ')}.\n` +
      'To serve chains, set CONFIG to a JSON file that names them (OPERATING.md, "A configuration"). ' +
      'To try the devnet, install everything with `npm ci`, without --omit=dev and with NODE_ENV unset.',
  )
}
