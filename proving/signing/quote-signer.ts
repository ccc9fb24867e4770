import { createECDH, createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Hex = `0x${string}`

/** The public half of the quote key, as clients are told it (interop.md 5). */
export interface QuotePublicKey {
  /** The uncompressed point, 65 bytes in hex without 0x. */
  publicKey: string
  format: 'hex'
  curve: 'P-256'
  algorithm: 'ECDSA'
}

const KEY_FILE = 'quote-key.pem'

/** Signs quotes. Whoever keeps the key elsewhere implements this. */
export interface QuoteSigner {
  readonly publicKey: QuotePublicKey
  /** ECDSA over SHA-256 of the payload: 64 bytes r‖s. */
  sign(payload: Uint8Array): Promise<Hex>
}

function describePublicKey(key: KeyObject): QuotePublicKey {
  const { crv, d } = key.export({ format: 'jwk' })
  if (crv !== 'P-256' || !d) throw new Error('the quote key is not a private key of P-256')
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(d, 'base64url')
  return { publicKey: pair.getPublicKey('hex'), format: 'hex', curve: 'P-256', algorithm: 'ECDSA' }
}

function signWith(key: KeyObject): QuoteSigner {
  return {
    publicKey: describePublicKey(key),
    async sign(payload) {
      return `0x${sign('sha256', payload, { key, dsaEncoding: 'ieee-p1363' }).toString('hex')}`
    },
  }
}

/** A quote signer of a PKCS#8 key in PEM. */
export function createQuoteSigner(pem: string): QuoteSigner {
  return signWith(createPrivateKey(pem))
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Linking fails where the file exists: of processes that start together one makes the key, and none sees half of it. */
function writeOnce(file: string, content: string): void {
  const draft = `${file}.${process.pid}`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(draft, content, { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
}

/**
 * The quote signer whose key is kept in the data folder (PKCS#8 PEM, readable by its owner alone), where the first call
 * makes it. Instances that serve the same clients must share the file, or be given one key.
 */
export function openQuoteSigner(dataDir: string): QuoteSigner {
  const file = join(dataDir, KEY_FILE)
  const kept = readIfThere(file)
  if (kept !== null) return createQuoteSigner(kept)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeOnce(file, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
  return createQuoteSigner(readFileSync(file, 'utf8'))
}
