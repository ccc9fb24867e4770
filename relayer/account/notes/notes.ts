import type { NotePosition } from '../../../db/account/notes/activity-notes.ts'
import type { Address } from 'viem'

/** The activity that a note is about. */
export interface NoteReference {
  type: string
  quoteId: string
}

/** Null members: the note was cleared. */
export interface ActivityNote {
  reference: NoteReference
  ciphertext: string | null
  updatedAt: Date | null
}

/** Null members: the tag was cleared. */
export interface AddressTag {
  address: Address
  ciphertext: string | null
  /** What the client made of the label with a key of its own: equal keys, equal labels. Null where it did not say. */
  labelKey: string | null
  updatedAt: Date | null
}

/** A page of notes, newest first. */
export interface NotePage {
  notes: readonly ActivityNote[]
  /** Where the next page begins; null at the end. */
  nextCursor: NotePosition | null
}

/** What account holders write, encrypted by their clients. Every accountId here has been checked to be the caller's. */
export interface Notes {
  /** Notes from the newest. Pages neither repeat nor leave out a note, whatever is written meanwhile. */
  list(accountId: string, page: { cursor: NotePosition | null; limit: number }): Promise<NotePage>
  /**
   * Sets a note, or clears it with null; there is no error where nothing was to clear.
   *
   * @throws ServiceError `not-found` for a quote that is not the account's, `bad-request` NOTES_FULL.
   */
  write(accountId: string, reference: NoteReference, ciphertext: string | null): Promise<ActivityNote>
  listTags(accountId: string): Promise<readonly AddressTag[]>
  /**
   * Sets a tag with the key of its label, if the client says one, or clears both with a ciphertext of null.
   *
   * @throws ServiceError `not-found` for an address that is not the account's, `bad-request` NOTES_FULL.
   */
  writeTag(
    accountId: string,
    address: Address,
    ciphertext: string | null,
    labelKey?: string | null,
  ): Promise<AddressTag>
}
