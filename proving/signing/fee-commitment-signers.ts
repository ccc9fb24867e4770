import type { FindOwnSignerJob, SignFeeCommitmentJob } from '../proving-pool.ts'
import { TaskError } from '../task-result.ts'
import { createCommitmentDigest } from './commitment-digest.ts'
import type { CommitmentKey, CommitmentSigner } from './commitment-signer.ts'
import { loadEcdsa, type Ecdsa } from './ecdsa.ts'
import { createRemoteSigner } from './remote-signer.ts'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { addressOfPrivateKey } from './address.ts'

type Hex = `0x${string}`

/** Signs fee commitments with the configured keys and recognises their signatures. Addresses carry their checksum. */
export interface FeeCommitmentSigners {
  /**
   * Signs at once with a local key, later with a remote one. Throws a TaskError for an unknown signer, a message that cannot
   * be encoded, or a failing remote signer.
   */
  sign(job: SignFeeCommitmentJob): Hex | Promise<Hex>
  /** Exact: a malleated or re-encoded signature has no signer. Asks no remote signer. */
  findSigner(job: FindOwnSignerJob): Hex | null
}

/**
 * Prepares one signer per configured key. `given` replaces the implementation of secp256k1, which is otherwise the
 * native one where it loads. Rejects when a private key is not valid; remote signers are not asked.
 */
export async function createFeeCommitmentSigners(
  keys: readonly CommitmentKey[],
  given?: Ecdsa,
): Promise<FeeCommitmentSigners> {
  const ecdsa = given ?? (await loadEcdsa())
  const { digest } = createCommitmentDigest()
  const signers = new Map(
    keys.map((key) => {
      const signer = typeof key === 'string' ? createLocalSigner(key, ecdsa) : createRemoteSigner(key, ecdsa)
      return [signer.address.toLowerCase(), signer]
    }),
  )

  return {
    sign({ signer: address, message }) {
      const signer = signers.get(address.toLowerCase())
      if (!signer) throw new TaskError('unknown-signer', `no commitment key is configured for ${address}`)
      const hash = digest(message)
      if (!hash) throw new TaskError('internal', 'the fee commitment has a member that its type cannot hold')
      return signer.sign(message, hash)
    },
    findSigner({ message, signature }) {
      const hash = digest(message)
      if (!hash) return null
      for (const signer of signers.values()) if (signer.hasSigned(hash, signature)) return signer.address
      return null
    },
  }
}

/** Creates a signer of a local private key, which recognises its signatures by signing again: signing is deterministic. */
function createLocalSigner(privateKey: Hex, { sign }: Ecdsa): CommitmentSigner {
  const key = hexToBytes(privateKey.slice(2))
  const signDigest = (digest: Uint8Array): Hex => `0x${bytesToHex(sign(digest, key))}`
  return {
    address: addressOfPrivateKey(privateKey),
    sign: (_, digest) => signDigest(digest),
    hasSigned: (digest, signature) => signDigest(digest) === signature.toLowerCase(),
  }
}
