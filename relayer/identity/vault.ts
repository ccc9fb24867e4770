/** What a vault made of a secret: opaque, safe to store beside the account it belongs to. */
export interface Sealed {
  bytes: Buffer
  /** The master key that wraps its data key. */
  masterKeyId: string
}

/**
 * Keeps secrets at rest: each is encrypted by a data key of its own, which a master key wraps. A secret is bound to its
 * owner (associated data): what was sealed for one opens for no other.
 */
export interface Vault {
  seal(owner: string, secret: Uint8Array): Promise<Sealed>
  /** @throws VaultError when the master key is unknown, or the bytes were altered or belong to another owner. */
  open(owner: string, sealed: Sealed): Promise<Uint8Array>
  /** The same secret under the newest master key; null where it is already. */
  rewrap(owner: string, sealed: Sealed): Promise<Sealed | null>
  /** A MAC over a statement that is stored in clear, by which the service recognises what it wrote. */
  certify(statement: string): Promise<Sealed>
  /** Whether this seal is of just this statement, under a known master key; in constant time. */
  isCertified(statement: string, seal: Sealed | null): Promise<boolean>
}
