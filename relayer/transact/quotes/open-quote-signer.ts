import { createQuoteSigner, type QuoteSigner } from '../../../proving/signing/quote-signer.ts'
import { openServerKeys } from '../../identity/server-keys.ts'
import type { Vault } from '../../identity/vault.ts'
import type { QuotesConfig } from './config.ts'
import { quoteKeys } from './quote-keys.ts'

/**
 * Opens the key that signs quotes: the configured one, else the one that instances share through the database.
 * @throws VaultError when the shared key is sealed under a master key that is not configured.
 */
export async function openQuoteSigner({
  database,
  vault,
  config,
}: {
  database: Parameters<typeof openServerKeys>[1]['database']
  vault: Vault
  config: QuotesConfig
}): Promise<QuoteSigner> {
  if (config.quoteKey) return createQuoteSigner(config.quoteKey)
  const keys = await openServerKeys(quoteKeys, { database, vault, overlapSeconds: 0 })
  return keys.current()
}
