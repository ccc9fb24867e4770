import { hexToBytes } from 'viem'
import type { DerivationKeys } from '../../proving/derivation/derive-addresses.ts'
import type { KeyMaterial } from './identity.ts'

/** Lengths of childViewKey, spendPublicKey and viewPublicKey, in this order. */
const LENGTHS = [32, 65, 65] as const
const TOTAL = LENGTHS[0] + LENGTHS[1] + LENGTHS[2]

/** Encodes an account's key material for sealing: 162 bytes. */
export function encodeStoredKeys(keys: KeyMaterial): Buffer {
  const bytes = Buffer.concat([
    hexToBytes(keys.childViewKey),
    hexToBytes(keys.spendPublicKey),
    hexToBytes(keys.viewPublicKey),
  ])
  if (bytes.length !== TOTAL) throw new RangeError('key material of another length')
  return bytes
}

/** Returns the keys from which addresses are derived. They are views of `bytes`: wiping `bytes` wipes them. */
export function readStoredKeys(bytes: Uint8Array): DerivationKeys {
  if (bytes.length !== TOTAL) throw new RangeError('stored keys of another length')
  return { childViewKey: bytes.subarray(0, 32), spendPublicKey: bytes.subarray(32, 97) }
}
