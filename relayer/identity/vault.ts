/** A sealed secret: opaque, safe to store beside its account. */
export interface Sealed {
  bytes: Buffer
  /** The master key that wraps its data key. */
  masterKeyId: string
}

/**
 * Seals secrets at rest: each is encrypted by a data key of its own, which a master key wraps. A secret is bound to
 * its owner (associated data) and opens for no other.
 */
export interface Vault {
  seal(owner: string, secret: Uint8Array): Promise<Sealed>
  /** @throws VaultError if the master key is unknown, or the bytes were altered or belong to another owner. */
  open(owner: string, sealed: Sealed): Promise<Uint8Array>
  /** Wraps the same secret under the newest master key; null if it already is. */
  rewrap(owner: string, sealed: Sealed): Promise<Sealed | null>
  /** Returns a MAC over a statement that is stored in clear, by which the service recognises its own rows. */
  certify(statement: string): Promise<Sealed>
  /** True if this seal is of exactly this statement, under a known master key; in constant time. */
  isCertified(statement: string, seal: Sealed | null): Promise<boolean>
}
