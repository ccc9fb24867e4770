import { createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import type { DatabasePool } from 'slonik'
import { decryptBytes, encryptBytes } from './key-wrapper.ts'
import { openServerKeys, type KeyKind } from './server-keys.ts'
import { VaultError } from './create-vault.ts'
import type { Vault } from './vault.ts'

const SALT_BYTES = 16

/**
 * Hides data that the service stores for at most a day. All instances on one database share the key, and a new master
 * key does not change it.
 */
export interface TransientSecrets {
  /**
   * Returns a keyed hash (HMAC-SHA256, 32 bytes), equal for equal texts of one domain. Without the key, texts cannot
   * be guessed from it.
   */
  digest(domain: string, text: string): Buffer
  /** Encrypts a text and binds it to its context. */
  seal(context: string, text: string): Buffer
  /** @throws VaultError if the bytes were altered, or sealed by another key or in another context. */
  open(context: string, sealed: Uint8Array): string
}

/** 32 random bytes. */
const transientKeys: KeyKind<TransientSecrets> = {
  purpose: 'transient',
  make: async () => randomBytes(32),
  open: async (secret) => createTransientSecrets(secret),
}

/** Derives all keys from one secret. @param secret 32 bytes, the only input of every hash and key. */
export function createTransientSecrets(secret: Uint8Array): TransientSecrets {
  const derive = (name: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `stealth-relay transient ${name} v1`, 32)))
  const [digestKey, sealKey] = [derive('digests'), derive('seals')]
  // A key for each text: random IVs limit one key to some billions of texts.
  const keyOf = (salt: Uint8Array) => createHmac('sha256', sealKey).update(salt).digest()
  return {
    digest: (domain, text) => createHmac('sha256', digestKey).update(`${domain}\n${text}`).digest(),
    seal(context, text) {
      const salt = randomBytes(SALT_BYTES)
      return Buffer.concat([salt, encryptBytes(keyOf(salt), Buffer.from(text), context)])
    },
    open(context, sealed) {
      const salt = sealed.subarray(0, SALT_BYTES)
      try {
        return decryptBytes(keyOf(salt), sealed.subarray(SALT_BYTES), context).toString()
      } catch (cause) {
        throw new VaultError('A short-lived secret does not open', { cause })
      }
    },
  }
}

/** The service's own keys at rest. */
export interface ServiceKeys {
  /** Seals with the master keys. */
  vault: Vault
  /** Seal values that are stored for a day at most. */
  secrets: TransientSecrets
}

/** Opens the key of this database, which the first start creates. @throws VaultError under a foreign master key. */
export async function openTransientSecrets(parts: {
  database: DatabasePool
  vault: Vault
}): Promise<TransientSecrets> {
  return (await openServerKeys(transientKeys, { ...parts, overlapSeconds: 0 })).current()
}
