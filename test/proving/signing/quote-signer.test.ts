import { createHash, createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { expect, test } from 'vitest'
import { createQuoteSigner } from '../../../proving/signing/quote-signer.ts'

/** Key pair, message and signature of RFC 6979, A.2.5 (P-256, SHA-256). */
const D = 'c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721'
const X = '60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6'
const Y = '7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299'
const R = 'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716'
const S = 'f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8'
const sample = Buffer.from('sample')

const base64url = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')
const jwk = { kty: 'EC', crv: 'P-256', d: base64url(D), x: base64url(X), y: base64url(Y) }
const pem = createPrivateKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type: 'pkcs8' }).toString()

/** Verifies by another implementation than the one that signs. */
function isSignedBy(publicKey: string, payload: Uint8Array, signature: string): boolean {
  const digest = createHash('sha256').update(payload).digest()
  const [rs, point] = [signature.replace(/^0x/, ''), publicKey].map((hex) => Buffer.from(hex, 'hex')) as [
    Buffer,
    Buffer,
  ]
  return p256.verify(rs, digest, point, { prehash: false, lowS: false })
}

test('the public key of the standard test vector has the format that clients expect', () => {
  expect(createQuoteSigner(pem).publicKey).toEqual({
    publicKey: `04${X}${Y}`,
    format: 'hex',
    curve: 'P-256',
    algorithm: 'ECDSA',
  })
  expect(isSignedBy(`04${X}${Y}`, sample, `${R}${S}`)).toBe(true)
})

test('signatures have 64 bytes, and two other implementations verify them', async () => {
  const signer = createQuoteSigner(pem)
  const { publicKey } = signer.publicKey
  const webKey = await crypto.subtle.importKey(
    'raw',
    Buffer.from(publicKey, 'hex'),
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['verify'],
  )
  for (let index = 0; index < 50; index += 1) {
    const payload = Buffer.from(JSON.stringify({ quote: index }))
    const signature = await signer.sign(payload)
    expect(signature).toMatch(/^0x[0-9a-f]{128}$/)
    expect(isSignedBy(publicKey, payload, signature)).toBe(true)
    expect(isSignedBy(publicKey, Buffer.from('else'), signature)).toBe(false)
    const rs = Buffer.from(signature.slice(2), 'hex')
    expect(await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, webKey, rs, payload)).toBe(true)
  }
})

test('a key of another kind is refused', () => {
  const ed25519 = generateKeyPairSync('ed25519').privateKey
  const secp256k1 = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey
  for (const key of [ed25519, secp256k1])
    expect(() => createQuoteSigner(key.export({ format: 'pem', type: 'pkcs8' }).toString())).toThrow(/P-256/)
  expect(() => createQuoteSigner('no key')).toThrow()
})
