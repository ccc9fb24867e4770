throw new Error('secp256k1 is to be loaded by its native binding: proving/signing/ecdsa.ts')
