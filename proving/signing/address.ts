import { createECDH } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

type Hex = `0x${string}`

/** The address of an uncompressed public key (65 bytes), in lower case. */
export function addressOfPublicKey(publicKey: Uint8Array): Hex {
  return `0x${bytesToHex(keccak_256(publicKey.subarray(1)).subarray(12))}`
}

/**
 * The address of a private key, with its checksum. By OpenSSL, since JavaScript first makes a table for a twentieth of a second.
 * @throws Error for a key that is not between 1 and the order of the curve.
 */
export function addressOfPrivateKey(privateKey: Hex): Hex {
  const curve = createECDH('secp256k1')
  curve.setPrivateKey(privateKey.slice(2), 'hex')
  return formatChecksumAddress(addressOfPublicKey(curve.getPublicKey()))
}

/** Writes an address with its checksum (ERC-55). */
export function formatChecksumAddress(address: Hex): Hex {
  const digits = address.slice(2).toLowerCase()
  const checksum = bytesToHex(keccak_256(utf8ToBytes(digits)))
  const isUpper = (index: number) => Number.parseInt(checksum.charAt(index), 16) >= 8
  return `0x${Array.from(digits, (digit, index) => (isUpper(index) ? digit.toUpperCase() : digit)).join('')}`
}
