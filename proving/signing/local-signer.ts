import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { addressOfPrivateKey } from './address.ts'
import type { CommitmentSigner } from './commitment-signer.ts'
import type { Ecdsa } from './ecdsa.ts'

type Hex = `0x${string}`

/** Creates a signer of a local private key, which recognises its signatures by signing again: signing is deterministic. */
export function createLocalSigner(privateKey: Hex, { sign }: Ecdsa): CommitmentSigner {
  const key = hexToBytes(privateKey.slice(2))
  const signDigest = (digest: Uint8Array): Hex => `0x${bytesToHex(sign(digest, key))}`
  return {
    address: addressOfPrivateKey(privateKey),
    sign: (_, digest) => signDigest(digest),
    hasSigned: (digest, signature) => signDigest(digest) === signature.toLowerCase(),
  }
}
