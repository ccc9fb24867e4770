/** The native binding alone: throws on import where none was built for this machine. */
declare module 'secp256k1/bindings.js' {
  const secp256k1: {
    /** RFC 6979 nonce and low s. */
    ecdsaSign(digest: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array; recid: number }
    /** Throws where r or s is out of range or no point has them. */
    ecdsaRecover(signature: Uint8Array, recovery: number, digest: Uint8Array, compressed: boolean): Uint8Array
  }
  export default secp256k1
}
