import { hexToBytes } from '@noble/hashes/utils.js'
import { addressOfPublicKey } from './address.ts'
import type { Ecdsa } from './ecdsa.ts'

type Hex = `0x${string}`

/** r, s and a v of 27 or 28: the one valid form. */
const CANONICAL = /^0x[0-9a-f]{64}([0-9a-f]{64})(?:1b|1c)$/
/** Half of the curve's order, in hex digits: of s and n − s only the lower counts. */
const HIGHEST_S = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'

/**
 * Returns the address (in lower case) of the signing key, or null unless the signature is canonical: low s, v of 27 or 28.
 */
export function recoverSigner(ecdsa: Ecdsa, digest: Uint8Array, signature: string): Hex | null {
  const text = signature.toLowerCase()
  const s = CANONICAL.exec(text)?.[1]
  if (s === undefined || s > HIGHEST_S) return null
  const publicKey = ecdsa.recover(digest, hexToBytes(text.slice(2)))
  return publicKey && addressOfPublicKey(publicKey)
}
