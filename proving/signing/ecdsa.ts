import { secp256k1 } from '@noble/curves/secp256k1.js'

/** Signs 32-byte digests: 65 bytes r‖s‖v with RFC 6979 nonces, low s and v = 27 or 28. */
export interface Ecdsa {
  /** Whether libsecp256k1 does it; @noble/curves, about 4 times slower, does otherwise. */
  native: boolean
  sign(digest: Uint8Array, privateKey: Uint8Array): Uint8Array
}

function joinSignature(rs: Uint8Array, recovery: number): Uint8Array {
  const signature = new Uint8Array(65)
  signature.set(rs)
  signature[64] = 27 + recovery
  return signature
}

/** Signs in JavaScript, on any machine. */
export const portableEcdsa: Ecdsa = {
  native: false,
  sign(digest, privateKey) {
    const signature = secp256k1.sign(digest, privateKey, { prehash: false, format: 'recovered' })
    return joinSignature(signature.subarray(1), signature[0] ?? 0)
  },
}

/** The native binding where it loads, else the portable code. Both sign alike to the byte. */
export async function loadEcdsa(): Promise<Ecdsa> {
  try {
    const { default: binding } = await import('secp256k1/bindings.js')
    return {
      native: true,
      sign(digest, privateKey) {
        const { signature, recid } = binding.ecdsaSign(digest, privateKey)
        return joinSignature(signature, recid)
      },
    }
  } catch {
    return portableEcdsa
  }
}
