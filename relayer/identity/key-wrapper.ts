import {
  createHmac,
  createSecretKey,
  hkdfSync,
  createCipheriv,
  createDecipheriv,
  randomBytes,
} from 'node:crypto'

/** A master key: in memory, or in a key service that wraps and unwraps on request. */
export interface KeyWrapper {
  /** Id of the master key, which reveals nothing of it. */
  readonly id: string
  /** @param owner Bound to the data key: it unwraps for no other. */
  wrap(dataKey: Uint8Array, owner: string): Promise<Uint8Array>
  /** @throws Error if the bytes were altered or belong to another owner. */
  unwrap(wrapped: Uint8Array, owner: string): Promise<Uint8Array>
  /** Computes a MAC of a text (HMAC-SHA256), by a key derived from the master key. */
  certify(statement: string): Promise<Buffer>
}

/** Creates the wrapper of a master key of 32 bytes in this process. */
export function createKeyWrapper(masterKey: Uint8Array): KeyWrapper {
  if (masterKey.length !== 32) throw new RangeError('A master key has 32 bytes')
  const context = (owner: string) => `stealth-relay data key v1\n${owner}`
  // A key object costs a quarter of raw bytes: 3 µs a MAC.
  const sealKey = createSecretKey(
    Buffer.from(hkdfSync('sha256', masterKey, '', 'stealth-relay seals of rows v1', 32)),
  )
  return {
    id: createHmac('sha256', masterKey).update('stealth-relay master key id').digest('hex').slice(0, 16),
    wrap: async (dataKey, owner) => encryptBytes(masterKey, dataKey, context(owner)),
    unwrap: async (wrapped, owner) => decryptBytes(masterKey, wrapped, context(owner)),
    certify: async (statement) => createHmac('sha256', sealKey).update(statement).digest(),
  }
}

const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts by AES-256-GCM under a fresh random IV: IV ‖ ciphertext ‖ tag. `context` is authenticated (associated data). */
export function encryptBytes(key: Uint8Array, plain: Uint8Array, context: string): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(context, 'utf8'))
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts. @throws Error if the bytes were altered, or were encrypted by another key or in another context. */
export function decryptBytes(key: Uint8Array, sealed: Uint8Array, context: string): Buffer {
  if (sealed.length < IV_BYTES + TAG_BYTES) throw new RangeError('Too short for what AES-GCM gives')
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(context, 'utf8'))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
}
