import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { FindOwnSignerJob, SignFeeCommitmentJob } from '../proving-pool.ts'
import { TaskError } from '../task-result.ts'
import { createCommitmentDigest } from './commitment-digest.ts'
import { loadEcdsa, type Ecdsa } from './ecdsa.ts'

type Hex = `0x${string}`

/** Signs fee commitments with the configured keys and recognises what they signed. Addresses carry their checksum. */
export interface FeeCommitmentSigners {
  /** Throws a TaskError for an unknown signer or a message that cannot be encoded. */
  sign(job: SignFeeCommitmentJob): Hex
  /** Signs again and compares, which is exact: a malleated or re-encoded signature finds nobody. */
  findSigner(job: FindOwnSignerJob): Hex | null
}

/** The checksummed address (ERC-55) of a key. */
function addressOf(privateKey: Uint8Array): Hex {
  const publicKey = secp256k1.getPublicKey(privateKey, false)
  const digits = bytesToHex(keccak_256(publicKey.subarray(1)).subarray(12))
  const checksum = bytesToHex(keccak_256(utf8ToBytes(digits)))
  const isUpper = (index: number) => Number.parseInt(checksum.charAt(index), 16) >= 8
  return `0x${Array.from(digits, (digit, index) => (isUpper(index) ? digit.toUpperCase() : digit)).join('')}`
}

export async function createFeeCommitmentSigners(
  privateKeys: readonly Hex[],
  ecdsa?: Ecdsa,
): Promise<FeeCommitmentSigners> {
  const { sign } = ecdsa ?? (await loadEcdsa())
  const { digest } = createCommitmentDigest()
  const keys = new Map(
    privateKeys.map((hex) => {
      const key = hexToBytes(hex.slice(2))
      return [addressOf(key), key]
    }),
  )
  const signDigest = (hash: Uint8Array, key: Uint8Array): Hex => `0x${bytesToHex(sign(hash, key))}`

  return {
    sign({ signer, message }) {
      const key = [...keys].find(([address]) => address.toLowerCase() === signer.toLowerCase())?.[1]
      if (!key) throw new TaskError('unknown-signer', `no commitment key is configured for ${signer}`)
      const hash = digest(message)
      if (!hash) throw new TaskError('internal', 'the fee commitment has a member that its type cannot hold')
      return signDigest(hash, key)
    },
    findSigner({ message, signature }) {
      const hash = digest(message)
      if (!hash) return null
      const wanted = signature.toLowerCase()
      for (const [address, key] of keys) if (signDigest(hash, key) === wanted) return address
      return null
    },
  }
}
