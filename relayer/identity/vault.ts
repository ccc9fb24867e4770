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

/** Binds a sealed email to its place and account: it opens as nothing else. */
export const contactEmailOwner = (accountId: string) => `${accountId} contact e-mail`

/** Binds a sealed note book. @param about `accountId:chainId:pool` */
export const bookOwner = (about: string) => `pool_book:${about}`

/** Binds a sealed spend from a pool. @param about `accountId:id` */
export const spendOwner = (about: string) => `pool_spend:${about}`

/** Binds the sealed handle of a cash-out's payee. @param accountId The account of the cash-out. */
export const cashPayeeOwner = (accountId: string) => `cash_payee:${accountId}`
