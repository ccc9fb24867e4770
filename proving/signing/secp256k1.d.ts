/** The native binding only. Importing it throws where none was built for this machine. */
declare module 'secp256k1/bindings.js' {
  const secp256k1: {
    /** RFC 6979 nonce and low s. */
    ecdsaSign(digest: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array; recid: number }
    /** Throws where r or s is out of range or no point has them. */
    ecdsaRecover(signature: Uint8Array, recovery: number, digest: Uint8Array, compressed: boolean): Uint8Array
    /** Passes the coordinates of the shared point to `hashfn`, whose result must be as long as `output`. */
    ecdh(
      publicKey: Uint8Array,
      privateKey: Uint8Array,
      options: { hashfn(x: Uint8Array, y: Uint8Array): Uint8Array },
      output: Uint8Array,
    ): Uint8Array
    /** Changes `privateKey`. Throws where the tweak is out of range or the sum is zero. */
    privateKeyTweakAdd(privateKey: Uint8Array, tweak: Uint8Array): Uint8Array
    privateKeyVerify(privateKey: Uint8Array): boolean
  }
  export default secp256k1
}
