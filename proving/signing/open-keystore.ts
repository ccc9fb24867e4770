import { createDecipheriv, pbkdf2Sync, timingSafeEqual } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { scrypt } from '@noble/hashes/scrypt.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { z } from 'zod'

type Hex = `0x${string}`

/** A key file that cannot be opened. The message gives the reason and reveals nothing of the content. */
export class KeystoreError extends Error {
  override name = 'KeystoreError'
}

/** Four times the memory and the work of a standard file (n = 262144, r = 8): no file can stall the start. */
const MAX_SCRYPT_MEMORY = 1024 * 1024 * 1024
const MAX_SCRYPT_WORK = 2 ** 23
const MAX_PBKDF2_ROUNDS = 5_000_000

const hex = (minBytes: number, maxBytes: number) =>
  z
    .string()
    .regex(
      new RegExp(`^(?:[0-9a-fA-F]{2}){${minBytes},${maxBytes}}$`),
      `is not hex of ${minBytes} to ${maxBytes} bytes`,
    )
    .transform((text) => Buffer.from(text, 'hex'))
/** The first half of the derived key decrypts, the second authenticates. */
const dklen = z.literal(32)
const salt = hex(1, 128)
const scryptParameters = z.object({ dklen, salt, n: z.int().min(2), r: z.int().min(1), p: z.int().min(1) })
const pbkdf2Parameters = z.object({
  dklen,
  salt,
  c: z.int().min(1).max(MAX_PBKDF2_ROUNDS),
  prf: z.literal('hmac-sha256'),
})
const body = {
  cipher: z.literal('aes-128-ctr'),
  /** Some programs omit a key's leading zeros. */
  ciphertext: hex(1, 32),
  mac: hex(32, 32),
}
const cipherparams = z.object({ iv: hex(16, 16) })
const keystore = z.object({
  version: z.literal(3),
  crypto: z.discriminatedUnion(
    'kdf',
    [
      z.object({ ...body, cipherparams, kdf: z.literal('scrypt'), kdfparams: scryptParameters }),
      z.object({ ...body, cipherparams, kdf: z.literal('pbkdf2'), kdfparams: pbkdf2Parameters }),
    ],
    'is neither scrypt nor pbkdf2',
  ),
})
type Crypto = z.output<typeof keystore>['crypto']

function parseKeystore(text: string): Crypto {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new KeystoreError('it is not JSON')
  }
  const parsed = keystore.safeParse(content)
  if (parsed.success) return parsed.data.crypto
  const reasons = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new KeystoreError(`it is no version 3 key file that can be read: ${reasons.join('; ')}`)
}

function deriveKey(password: string, crypto: Crypto): Uint8Array {
  if (crypto.kdf === 'pbkdf2') {
    const { salt, c, dklen } = crypto.kdfparams
    return pbkdf2Sync(password, salt, c, dklen, 'sha256')
  }
  const { salt, n, r, p, dklen } = crypto.kdfparams
  if (!Number.isInteger(Math.log2(n))) throw new KeystoreError('its scrypt n is not a power of two')
  if (128 * r * (n + p) > MAX_SCRYPT_MEMORY || n * r * p > MAX_SCRYPT_WORK)
    throw new KeystoreError(`its scrypt cost (n ${n}, r ${r}, p ${p}) is beyond what a start may take`)
  // not node:crypto's, which refuses the definition's own vector: n = 2^18 with r = 1
  return scrypt(password, salt, { N: n, r, p, dkLen: dklen, maxmem: 2 * MAX_SCRYPT_MEMORY })
}

/**
 * Opens an encrypted key file of the Web3 Secret Storage definition, version 3: scrypt or PBKDF2, AES-128-CTR and a
 * Keccak-256 MAC. Takes the time of the key derivation, a second for common files. Throws KeystoreError.
 */
export function openKeystore(text: string, password: string): Hex {
  const crypto = parseKeystore(text)
  const derived = deriveKey(password, crypto)
  const mac = keccak_256(Buffer.concat([derived.subarray(16), crypto.ciphertext]))
  if (!timingSafeEqual(mac, crypto.mac)) throw new KeystoreError('the password is wrong')
  const decipher = createDecipheriv(crypto.cipher, derived.subarray(0, 16), crypto.cipherparams.iv)
  const key = Buffer.alloc(32)
  decipher.update(crypto.ciphertext).copy(key, key.length - crypto.ciphertext.length)
  if (!secp256k1.utils.isValidSecretKey(key)) throw new KeystoreError('it holds no private key of secp256k1')
  return `0x${key.toString('hex')}`
}
