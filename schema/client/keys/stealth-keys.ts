// SPDX-License-Identifier: MIT
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToBigInt, hexToBytes, keccak256, numberToHex, type Address, type Hex } from 'viem'
import { HDKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'

/** Order of the group of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/**
 * Nonces count from 0. Without the service a wallet finds its addresses by trying nonces, and would never reach one beyond
 * this.
 */
const NONCES = 2 ** 24

/** The two secrets of a wallet, 32 bytes each. Neither ever leaves it. */
export interface WalletKeys {
  spendKey: Hex
  viewKey: Hex
}

/** The public parts of a wallet's keys, and the child of the viewing key that the service receives. */
export interface SharedKeys {
  /** The address that identifies the account. It never holds funds. */
  authAddress: Address
  spendPublicKey: Hex
  viewPublicKey: Hex
  /** The holder can compute the account's addresses, and cannot spend from them. */
  childViewKey: Hex
}

/** Derives the keys that a wallet shares with the service (PROTOCOL.md, section 1). */
export function deriveSharedKeys({ spendKey, viewKey }: WalletKeys): SharedKeys {
  const spender = privateKeyToAccount(spendKey)
  return {
    authAddress: spender.address,
    spendPublicKey: spender.publicKey,
    viewPublicKey: privateKeyToAccount(viewKey).publicKey,
    childViewKey: numberToHex(bytesToBigInt(privateKeyAt(hexToBytes(viewKey), `m/5564'/0'`)), { size: 32 }),
  }
}

/**
 * Derives the account of a stealth address: its key is p_spend · r mod n, where r is the hash of the secret shared by a
 * child of the viewing key and P_spend (PROTOCOL.md, section 4).
 */
export function deriveStealthAccount(
  spendKey: Hex,
  childViewKey: Uint8Array,
  nonce: bigint,
): PrivateKeyAccount {
  const derived = privateKeyAt(childViewKey, `m/0'/0'/${nonce >> 28n}'/${nonce & 0xfffffffn}'`)
  const spendPublicKey = secp256k1.getPublicKey(hexToBytes(spendKey), false)
  const shared = secp256k1.getSharedSecret(derived, spendPublicKey, false)
  const r = BigInt(keccak256(shared.subarray(1)))
  return privateKeyToAccount(numberToHex((BigInt(spendKey) * r) % ORDER, { size: 32 }))
}

/** The private key of a BIP-32 node. @throws Error where the node has none. */
export function privateKeyAt(seed: Uint8Array, path: string): Uint8Array {
  const { privateKey } = HDKey.fromMasterSeed(seed).derive(path)
  if (!privateKey) throw new Error(`no private key at ${path}`)
  return privateKey
}

/** Reads a derivation nonce of the service. @throws Error where the wallet would not find the address again. */
export function readNonce(nonce: string | number): bigint {
  const text = String(nonce)
  if (!/^(?:0|[1-9]\d{0,7})$/.test(text) || Number(text) >= NONCES)
    throw new Error(`the nonce ${text} is out of the wallet's reach`)
  return BigInt(text)
}

/** Lists the addresses of a wallet by its keys alone, for a wallet that comes back without the service. */
export function listStealthAddresses(
  { spendKey, viewKey }: WalletKeys,
  { from = 0, count }: { from?: number; count: number },
): { nonce: number; address: Address }[] {
  const childViewKey = privateKeyAt(hexToBytes(viewKey), `m/5564'/0'`)
  return Array.from({ length: count }, (_, place) => {
    const nonce = from + place
    return { nonce, address: deriveStealthAccount(spendKey, childViewKey, BigInt(nonce)).address }
  })
}
