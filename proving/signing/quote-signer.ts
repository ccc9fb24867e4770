import { createECDH, createPrivateKey, sign, type KeyObject } from 'node:crypto'

type Hex = `0x${string}`

/** Signs quotes. Implement this to store the key elsewhere. */
export interface QuoteSigner {
  /** The public half of the key, as clients see it. */
  readonly publicKey: {
    /** The uncompressed point, 65 bytes in hex without 0x. */
    publicKey: string
    format: 'hex'
    curve: 'P-256'
    algorithm: 'ECDSA'
  }
  /** ECDSA over SHA-256 of the payload: 64 bytes r‖s. */
  sign(payload: Uint8Array): Promise<Hex>
}

function describePublicKey(key: KeyObject): QuoteSigner['publicKey'] {
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
