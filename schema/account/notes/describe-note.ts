import type { ActivityNote, AddressTag } from '../../../relayer/account/notes/notes.ts'

/** A note by the names that its payload has in the contract. */
export const describeNote = ({ reference, ciphertext, updatedAt }: ActivityNote) => ({
  reference,
  notePayloadCiphertext: ciphertext,
  notePayloadUpdatedAt: updatedAt,
})

/** A tag by the names that its payload has in the contract. */
export const describeTag = ({ address, ciphertext, updatedAt }: AddressTag) => ({
  address,
  tagPayloadCiphertext: ciphertext,
  tagPayloadUpdatedAt: updatedAt,
})
