import { Aes128Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import { bytesToHex, hexToBytes, type Hex } from 'viem'
import { generatePrivateKey, HDKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, type SiweMessage } from 'viem/siwe'

/** A client's keys, and the material that it sends to the server. */
export interface TestWallet {
  address: `0x${string}`
  material: { P_spend: Hex; P_view: Hex; child_p_view: Hex }
  /** A sign-in message with the given nonce; the rest may be overridden. */
  writeMessage(siweNonce: string, changes?: Partial<SiweMessage>): string
  sign(message: string): Promise<Hex>
}

export function createWallet(
  spend: Hex = generatePrivateKey(),
  view: Hex = generatePrivateKey(),
): TestWallet {
  const account = privateKeyToAccount(spend)
  const child = HDKey.fromMasterSeed(hexToBytes(view)).derive(`m/5564'/0'`).privateKey
  if (!child) throw new Error('no private key')
  return {
    address: account.address,
    material: {
      P_spend: account.publicKey,
      P_view: privateKeyToAccount(view).publicKey,
      child_p_view: bytesToHex(child),
    },
    writeMessage: (siweNonce, changes = {}) =>
      createSiweMessage({
        address: account.address,
        chainId: 1,
        domain: 'localhost:3000',
        nonce: siweNonce,
        uri: 'https://elsewhere.example/sign-in',
        version: '1',
        statement: 'Sign in. It costs nothing.',
        ...changes,
      }),
    sign: (message) => account.signMessage({ message }),
  }
}

const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes128Gcm(),
})

/** Encrypts for the server as a client does: base mode, info and aad empty. */
export async function encryptFor(
  publicKey: string,
  plaintext: string | Uint8Array,
): Promise<{ encapsulatedKey: string; ciphertext: string }> {
  const key = await suite.kem.deserializePublicKey(Uint8Array.from(Buffer.from(publicKey, 'hex')).buffer)
  const sender = await suite.createSenderContext({ recipientPublicKey: key })
  const ciphertext = await sender.seal(Uint8Array.from(Buffer.from(plaintext)).buffer)
  return {
    encapsulatedKey: Buffer.from(sender.enc).toString('base64'),
    ciphertext: Buffer.from(ciphertext).toString('base64'),
  }
}
