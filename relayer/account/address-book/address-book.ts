import type { Address, Hex } from 'viem'

/** A contact of an account's address book. */
export interface Contact {
  address: Address
  name: string
  lastUsedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** A contact as the owner's spending key signed it. */
export interface SignedContact {
  address: Address
  name: string
  /** ISO 8601 in UTC, exactly as signed. */
  issuedAt: string
  signature: Hex
}

/** The contacts of accounts. Every accountId here has been checked to be the caller's. */
export interface AddressBook {
  /** Returns all contacts, the most recently used first. */
  list(accountId: string): Promise<readonly Contact[]>
  /** True if the address is one of the account's own. */
  isOwn(accountId: string, address: Address): Promise<boolean>
  /**
   * Writes a contact that the spending key signed for (see {@link contactMessage}).
   *
   * @throws ServiceError `bad-request` CONTACT_SIGNATURE_INVALID, CONTACT_SIGNATURE_EXPIRED, CONTACT_SIGNATURE_OUTDATED
   * or ADDRESS_BOOK_FULL.
   */
  save(accountId: string, contact: SignedContact): Promise<Contact>
  /** Returns false if there was no such contact. */
  remove(accountId: string, address: Address): Promise<boolean>
}
