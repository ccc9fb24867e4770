// SPDX-License-Identifier: MIT
import { hexToBytes } from 'viem'
import { toBase64 } from './base64.ts'
import type { SharedKeys } from './stealth-keys.ts'

/** The body of `POST /v1/accounts`, both members in padded base64. */
export interface SealedKeys {
  encapsulatedKey: string
  ciphertext: string
}

/**
 * Encrypts the keys of an account for the service (HPKE, PROTOCOL.md, section 3). The holder of the announced key sees
 * all payments of the account, and cannot spend.
 * @param publicKey As `GET /v1/.well-known/hpke-public-key` answers it, in hex.
 */
export async function sealKeys(publicKey: string, keys: SharedKeys): Promise<SealedKeys> {
  const { spendPublicKey, viewPublicKey, childViewKey } = keys
  const text = JSON.stringify({
    P_spend: spendPublicKey,
    P_view: viewPublicKey,
    child_p_view: childViewKey,
  })
  // Used once in the life of an account: bundlers load it when it is needed.
  const { Aes128Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } = await import('@hpke/core')
  const suite = new CipherSuite({
    kem: new DhkemX25519HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes128Gcm(),
  })
  const point = hexToBytes(`0x${publicKey.replace('0x', '')}`).slice().buffer
  const recipientPublicKey = await suite.kem.deserializePublicKey(point)
  const { enc, ct } = await suite.seal({ recipientPublicKey }, new TextEncoder().encode(text).buffer)
  return { encapsulatedKey: toBase64(new Uint8Array(enc)), ciphertext: toBase64(new Uint8Array(ct)) }
}
