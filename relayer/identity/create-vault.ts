import { randomBytes, timingSafeEqual } from 'node:crypto'
import { type KeyWrapper, decryptBytes, encryptBytes } from './key-wrapper.ts'
import type { Sealed, Vault } from './vault.ts'

/** A sealed secret did not open. The message reveals nothing of its content. */
export class VaultError extends Error {
  override name = 'VaultError'
}

/** Version of the layout: length of the wrapped data key (2 bytes), that key, then the encrypted secret. */
const VERSION = 1
const HEADER_BYTES = 3

const context = (owner: string) => `stealth-relay secret v1\n${owner}`

/**
 * Creates a vault under these master keys: the first one wraps, all of them unwrap. Secrets of an account have the
 * accountId as their owner.
 *
 * @example
 * ```ts
 * const vault = createVault([createKeyWrapper(masterKey)])
 * const sealed = await vault.seal(accountId, secret)
 * const opened = await vault.open(accountId, sealed) // the bytes of secret
 * await vault.open(randomUUID(), sealed).catch((error: Error) => error.name) // 'VaultError'
 * ```
 */
export function createVault(masterKeys: readonly [KeyWrapper, ...KeyWrapper[]]): Vault {
  const [newest] = masterKeys
  const byId = new Map(masterKeys.map((wrapper) => [wrapper.id, wrapper]))

  async function unwrapDataKey(owner: string, { bytes, masterKeyId }: Sealed) {
    const wrapper = byId.get(masterKeyId)
    if (!wrapper)
      throw new VaultError(
        `A secret is under master key ${masterKeyId}, which identity.masterKeys lacks: add that key to the list, or ` +
          'use the DATA_DIR that the database was used with',
      )
    if (bytes.length < HEADER_BYTES || bytes[0] !== VERSION)
      throw new VaultError('A sealed secret has an unknown form')
    const end = HEADER_BYTES + bytes.readUInt16BE(1)
    try {
      const dataKey = await wrapper.unwrap(bytes.subarray(HEADER_BYTES, end), owner)
      return { dataKey, secret: bytes.subarray(end) }
    } catch (cause) {
      throw new VaultError('A data key does not unwrap: it was altered or belongs to another owner', {
        cause,
      })
    }
  }

  async function wrapDataKey(owner: string, dataKey: Uint8Array, secret: Uint8Array): Promise<Sealed> {
    const wrapped = await newest.wrap(dataKey, owner)
    const header = Buffer.alloc(HEADER_BYTES)
    header.writeUInt8(VERSION)
    header.writeUInt16BE(wrapped.length, 1)
    return { bytes: Buffer.concat([header, wrapped, secret]), masterKeyId: newest.id }
  }

  return {
    async seal(owner, secret) {
      const dataKey = randomBytes(32)
      return wrapDataKey(owner, dataKey, encryptBytes(dataKey, secret, context(owner)))
    },
    async open(owner, sealed) {
      const { dataKey, secret } = await unwrapDataKey(owner, sealed)
      try {
        return decryptBytes(dataKey, secret, context(owner))
      } catch (cause) {
        throw new VaultError('A secret does not open: it was altered or belongs to another owner', { cause })
      }
    },
    async rewrap(owner, sealed) {
      if (sealed.masterKeyId === newest.id) return null
      const { dataKey, secret } = await unwrapDataKey(owner, sealed)
      return wrapDataKey(owner, dataKey, secret)
    },
    certify: async (statement) => ({ bytes: await newest.certify(statement), masterKeyId: newest.id }),
    async isCertified(statement, seal) {
      const wrapper = seal && byId.get(seal.masterKeyId)
      if (!wrapper) return false
      const expected = await wrapper.certify(statement)
      return seal.bytes.length === expected.length && timingSafeEqual(seal.bytes, expected)
    },
  }
}
