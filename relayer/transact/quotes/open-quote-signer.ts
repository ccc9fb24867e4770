import { createQuoteSigner, type QuoteSigner } from '../../../proving/signing/quote-signer.ts'
import { openServerKeys, type KeyKind } from '../../identity/server-keys.ts'
import type { Vault } from '../../identity/vault.ts'
import type { QuotesConfig } from './config.ts'
import { generateKeyPairSync } from 'node:crypto'

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

/** ECDSA on P-256, PKCS#8 in PEM. */
const quoteKeys: KeyKind<QuoteSigner> = {
  purpose: 'quote',
  async make() {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    return Buffer.from(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
  },
  open: async (secret) => createQuoteSigner(Buffer.from(secret).toString()),
}
