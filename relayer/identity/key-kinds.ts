import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { exportJWK, type JWK } from 'jose'
import { makeHpkeKeyPair, type HpkeKeyPair } from './hpke.ts'
import type { KeyKind } from './server-keys.ts'

/** An opened key that signs tokens. */
export interface TokenSigningKey {
  keyId: string
  privateKey: KeyObject
  publicKey: KeyObject
  /** The public half in JWK form (RFC 7517). */
  jwk: JWK
}

/** ECDSA on P-256, PKCS#8. */
export const tokenKeys: KeyKind<TokenSigningKey> = {
  purpose: 'token',
  async make() {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    return privateKey.export({ format: 'der', type: 'pkcs8' })
  },
  async open(secret, keyId) {
    const privateKey = createPrivateKey({ key: Buffer.from(secret), format: 'der', type: 'pkcs8' })
    const publicKey = createPublicKey(privateKey)
    const jwk = { ...(await exportJWK(publicKey)), kid: keyId, alg: 'ES256', use: 'sig' }
    return { keyId, privateKey, publicKey, jwk }
  },
}

/** X25519: public and private half, 32 bytes each. */
export const hpkeKeys: KeyKind<HpkeKeyPair> = {
  purpose: 'hpke',
  async make() {
    const { publicKey, privateKey } = await makeHpkeKeyPair()
    return Buffer.concat([publicKey, privateKey])
  },
  open: async (secret) => ({
    publicKey: Buffer.from(secret.subarray(0, 32)),
    privateKey: Buffer.from(secret.subarray(32)),
  }),
}
