import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js'

/** The operations on secp256k1 that stealth addresses need. Scalars are 32 bytes, points 65: 0x04, x, y. */
export interface StealthCurve {
  /** True for libsecp256k1, false for @noble/curves, which is several times slower. */
  native: boolean
  /** Adds a tweak to a private key, in place. @throws Error when the tweak is not below n or the sum is 0. */
  addToKey(key: Uint8Array, tweak: Uint8Array): void
  /**
   * scalar · point without its 0x04, in constant time.
   *
   * @throws Error for a scalar of 0 or not below n, and for bytes that are no point.
   */
  multiply(point: Uint8Array, scalar: Uint8Array): Uint8Array
  /** True if these 32 bytes are a private key: neither 0 nor beyond n. */
  isKey(bytes: Uint8Array): boolean
}

const { Point } = secp256k1

/** Works on any machine. */
export const portableStealthCurve: StealthCurve = {
  native: false,
  addToKey(key, tweak) {
    const added = bytesToNumberBE(tweak)
    if (!Point.Fn.isValid(added)) throw new RangeError('the tweak is out of range')
    const sum = Point.Fn.add(bytesToNumberBE(key), added)
    if (sum === 0n) throw new RangeError('the sum of key and tweak is zero')
    key.set(numberToBytesBE(sum, 32))
  },
  multiply: (point, scalar) =>
    Point.fromBytes(point).multiply(bytesToNumberBE(scalar)).toBytes(false).subarray(1),
  isKey: (bytes) => secp256k1.utils.isValidSecretKey(bytes),
}

/** Loads the native binding where possible, else the portable code; both give equal results. */
export async function loadStealthCurve(): Promise<StealthCurve> {
  try {
    const { default: binding } = await import('secp256k1/bindings.js')
    const joinCoordinates = (x: Uint8Array, y: Uint8Array) => Buffer.concat([x, y])
    return {
      native: true,
      addToKey(key, tweak) {
        binding.privateKeyTweakAdd(key, tweak)
      },
      // ecdh and not a tweak of the public key, whose time depends on the scalar
      multiply: (point, scalar) =>
        binding.ecdh(point, scalar, { hashfn: joinCoordinates }, new Uint8Array(64)),
      isKey: (bytes) => bytes.length === 32 && binding.privateKeyVerify(bytes),
    }
  } catch {
    return portableStealthCurve
  }
}
