import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

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
