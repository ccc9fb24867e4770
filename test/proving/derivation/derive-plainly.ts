import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { HDKey } from '@scure/bip32'
import { bytesToBigInt, bytesToHex, numberToBytes, type Address, type Hex } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'

const { Point } = secp256k1

export const publicKeyOf = (privateKey: Uint8Array) => secp256k1.getPublicKey(privateKey, false)

function privateKeyAt(seed: Uint8Array, path: string): Uint8Array {
  const { privateKey } = HDKey.fromMasterSeed(seed).derive(path)
  if (!privateKey) throw new Error('a node without a private key')
  return privateKey
}

/** child_p_view, computed as a client computes it from its viewing key. */
export const childViewKeyOf = (viewKey: Uint8Array) => privateKeyAt(viewKey, "m/5564'/0'")

/**
 * A stealth address as PROTOCOL.md specifies it, computed by libraries that the service does not use; `tweak` is r.
 */
export function derivePlainly(
  childViewKey: Uint8Array,
  spendPublicKey: Uint8Array,
  nonce: bigint,
): { address: Address; tweak: bigint } {
  const derived = privateKeyAt(childViewKey, `m/0'/0'/${nonce >> 28n}'/${nonce & 0xfffffffn}'`)
  return multiplyByShared(derived, spendPublicKey)
}

/** Only the last two steps of it. */
export function multiplyByShared(
  derivedKey: Uint8Array,
  spendPublicKey: Uint8Array,
): { address: Address; tweak: bigint } {
  const shared = secp256k1.getSharedSecret(derivedKey, spendPublicKey, false)
  const tweak = bytesToBigInt(keccak_256(shared.subarray(1)))
  const point = Point.fromBytes(spendPublicKey).multiply(tweak)
  return { address: publicKeyToAddress(bytesToHex(point.toBytes(false))), tweak }
}

/** The private key of a stealth address, which only the holder of the spending key can compute. */
export const stealthKeyOf = (spendKey: Uint8Array, tweak: bigint): Hex =>
  bytesToHex(numberToBytes((bytesToBigInt(spendKey) * tweak) % Point.Fn.ORDER, { size: 32 }))
