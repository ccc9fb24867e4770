import type { FeeCommitmentMessage } from '../proving-pool.ts'

type Hex = `0x${string}`

/** A key at a remote HTTP signer that signs over JSON-RPC (remote-signer.ts). */
export interface RemoteKey {
  /** The signer's URL, http or https. */
  remote: string
  /** Address of the key. */
  address: Hex
  method: SignMethod
  /** Limit of one attempt, in milliseconds. */
  timeoutMs: number
  /** Sent as the `Authorization` header. Secret. */
  authorization?: string | undefined
}

/**
 * The JSON-RPC methods by which signers sign EIP-712 messages; they differ only in the JSON form of the message.
 */
export const SIGN_METHODS = ['eth_signTypedData_v4', 'eth_signTypedData', 'account_signTypedData'] as const
/** One of the JSON-RPC methods that a remote signer may offer. */
export type SignMethod = (typeof SIGN_METHODS)[number]

/** A private key, or its place at a remote signer. */
export type CommitmentKey = Hex | RemoteKey

/** One key that signs fee commitments, local or remote. */
export interface CommitmentSigner {
  /** With its checksum. */
  readonly address: Hex
  /** 65 bytes r‖s‖v, low s, v = 27 or 28. `digest` is that of `message`. Throws a TaskError. */
  sign(message: FeeCommitmentMessage, digest: Uint8Array): Hex | Promise<Hex>
  /** True if this key made `signature`; false for every other encoding of the same signature. */
  hasSigned(digest: Uint8Array, signature: string): boolean
}
