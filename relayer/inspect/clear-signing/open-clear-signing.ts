import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { Chains } from '../../chain/nodes/chain.ts'
import type { Tokens } from '../../market/tokens/tokens.ts'
import type { ClearSigning } from './clear-signing.ts'
import type { ClearSigningConfig } from './config.ts'
import { createClearSigning } from './create-clear-signing.ts'
import { openActiveDescriptors } from './open-active-descriptors.ts'

/** Clear signing, with a function to stop it. */
export interface OpenClearSigning extends ClearSigning {
  stop(): Promise<void>
}

/**
 * Opens clear signing over the active descriptors of the database.
 *
 * @throws the database's error if they cannot be loaded.
 */
export async function openClearSigning({
  chains,
  tokens,
  ...kept
}: {
  database: DatabasePool
  /** For the connection that listens for imports. */
  databaseUrl: string
  chains: Chains
  tokens: Pick<Tokens, 'findPublic' | 'isListed'>
  config: ClearSigningConfig
  logger: Logger
}): Promise<OpenClearSigning> {
  const active = await openActiveDescriptors(kept)
  return { ...createClearSigning({ current: active.current, chains, tokens }), stop: active.stop }
}
