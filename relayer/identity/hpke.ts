import { Aes128Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'

/** The HPKE suite (RFC 9180): X25519-HKDF-SHA256 with AES-128-GCM, base mode, info and aad empty. */
const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes128Gcm(),
})

/** 32 bytes each. */
export interface HpkeKeyPair {
  publicKey: Buffer
  privateKey: Buffer
}

/** Makes a new key pair that clients encrypt to. */
export async function makeHpkeKeyPair(): Promise<HpkeKeyPair> {
  const { publicKey, privateKey } = await suite.kem.generateKeyPair()
  return {
    publicKey: Buffer.from(await suite.kem.serializePublicKey(publicKey)),
    privateKey: Buffer.from(await suite.kem.serializePrivateKey(privateKey)),
  }
}

/** Decrypts a message to a key; null if it was encrypted to another key or altered. */
export async function openHpke(
  privateKey: Uint8Array,
  { encapsulatedKey, ciphertext }: { encapsulatedKey: Uint8Array; ciphertext: Uint8Array },
): Promise<Uint8Array | null> {
  try {
    const recipientKey = await suite.kem.deserializePrivateKey(toArrayBuffer(privateKey))
    return new Uint8Array(
      await suite.open({ recipientKey, enc: toArrayBuffer(encapsulatedKey) }, toArrayBuffer(ciphertext)),
    )
  } catch {
    return null
  }
}

/** Copies bytes out of a shared memory pool. */
function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer
}
