import { secp256k1 } from '@noble/curves/secp256k1.js'

/** ECDSA on secp256k1 over 32-byte digests. A signature is 65 bytes r‖s‖v with v = 27 or 28. */
export interface Ecdsa {
  /** True for libsecp256k1, false for @noble/curves, which is several times slower. */
  native: boolean
  /** Signs with RFC 6979 nonces and low s. */
  sign(digest: Uint8Array, privateKey: Uint8Array): Uint8Array
  /** Returns the public key (65 bytes) of the signing key, or null where there is none. High s recovers too. */
  recover(digest: Uint8Array, signature: Uint8Array): Uint8Array | null
}

function joinSignature(rs: Uint8Array, recovery: number): Uint8Array {
  const signature = new Uint8Array(65)
  signature.set(rs)
  signature[64] = 27 + recovery
  return signature
}

const recoveryOf = (signature: Uint8Array) => (signature[64] ?? 0) - 27

/** Signs in JavaScript, on any machine. */
export const portableEcdsa: Ecdsa = {
  native: false,
  sign(digest, privateKey) {
    const signature = secp256k1.sign(digest, privateKey, { prehash: false, format: 'recovered' })
    return joinSignature(signature.subarray(1), signature[0] ?? 0)
  },
  recover(digest, signature) {
    try {
      const recovered = Uint8Array.of(recoveryOf(signature), ...signature.subarray(0, 64))
      return secp256k1.Signature.fromBytes(recovered, 'recovered').recoverPublicKey(digest).toBytes(false)
    } catch {
      return null
    }
  },
}

/** Loads the native binding where possible, else the portable code; both sign identically to the byte. */
export async function loadEcdsa(): Promise<Ecdsa> {
  try {
    const { default: binding } = await import('secp256k1/bindings.js')
    return {
      native: true,
      sign(digest, privateKey) {
        const { signature, recid } = binding.ecdsaSign(digest, privateKey)
        return joinSignature(signature, recid)
      },
      recover(digest, signature) {
        try {
          return binding.ecdsaRecover(signature.subarray(0, 64), recoveryOf(signature), digest, false)
        } catch {
          return null
        }
      },
    }
  } catch {
    return portableEcdsa
  }
}
