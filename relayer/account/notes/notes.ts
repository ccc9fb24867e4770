import type { NotePosition } from '../../../db/account/notes/activity-notes.ts'
import type { Address } from 'viem'

/** The activity that a note is about. */
export interface NoteReference {
  type: string
  quoteId: string
}

/** A note; `ciphertext` and `updatedAt` are null once it is cleared. */
export interface ActivityNote {
  reference: NoteReference
  ciphertext: string | null
  updatedAt: Date | null
}

/** A tag; the other members are null once it is cleared. */
export interface AddressTag {
  address: Address
  ciphertext: string | null
  /** The client's keyed hash of the label: equal labels have equal keys. Null if the client gave none. */
  labelKey: string | null
  updatedAt: Date | null
}

/** A page of notes, newest first. */
export interface NotePage {
  notes: readonly ActivityNote[]
  /** The position where the next page begins; null at the end. */
  nextCursor: NotePosition | null
}

/** Notes and tags, encrypted by clients. Every accountId here has been checked to be the caller's. */
export interface Notes {
  /** Lists notes, newest first. Pages neither repeat nor skip a note, whatever is written meanwhile. */
  list(accountId: string, page: { cursor: NotePosition | null; limit: number }): Promise<NotePage>
  /**
   * Sets a note, or clears it with null; clearing a missing note is no error.
   *
   * @throws ServiceError `not-found` for a quote that is not the account's, `bad-request` NOTES_FULL.
   */
  write(accountId: string, reference: NoteReference, ciphertext: string | null): Promise<ActivityNote>
  listTags(accountId: string): Promise<readonly AddressTag[]>
  /**
   * Sets a tag with the key of its label, if the client gives one, or clears both with a ciphertext of null.
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
