import { secp256k1 } from '@noble/curves/secp256k1.js'
import { privateKeyToAddress } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { createCommitmentDigest } from '../../../proving/signing/commitment-digest.ts'
import { loadEcdsa, portableEcdsa, type Ecdsa } from '../../../proving/signing/ecdsa.ts'
import { recoverSigner } from '../../../proving/signing/recover-signer.ts'
import { CURVE_ORDER, malleate, message, messages, signWithViem } from './sample-commitment.ts'

const key = `0x${'11'.repeat(32)}` as const
const address = privateKeyToAddress(key).toLowerCase()
const { digest } = createCommitmentDigest()
const digestOf = (each: typeof message) => digest(each) as Uint8Array

let native: Ecdsa
beforeAll(async () => {
  native = await loadEcdsa()
})

test("native and portable recovery return the signer of viem's signatures", async () => {
  for (const each of messages) {
    const signature = await signWithViem(each, key)
    for (const ecdsa of [native, portableEcdsa]) {
      expect(recoverSigner(ecdsa, digestOf(each), signature)).toBe(address)
      expect(recoverSigner(ecdsa, digestOf(each), `0x${signature.slice(2).toUpperCase()}`)).toBe(address)
    }
  }
})

test('another form of the signature, or another message, does not return the signer', async () => {
  const signature = await signWithViem(message, key)
  for (const ecdsa of [native, portableEcdsa]) {
    for (const candidate of malleate(signature))
      expect(recoverSigner(ecdsa, digestOf(message), candidate)).not.toBe(address)
    const other = digestOf({ ...message, amount: 1n })
    expect(recoverSigner(ecdsa, other, signature)).not.toBe(address)
  }
})

test('a signature whose s exceeds half of the order is refused', () => {
  const half = (CURVE_ORDER - 1n) / 2n
  const r = secp256k1.Point.BASE.multiply(7n).toAffine().x.toString(16).padStart(64, '0')
  const signature = (s: bigint) => `0x${r}${s.toString(16).padStart(64, '0')}1b`
  expect(recoverSigner(native, digestOf(message), signature(half))).toMatch(/^0x[0-9a-f]{40}$/)
  expect(recoverSigner(native, digestOf(message), signature(half + 1n))).toBeNull()
})
