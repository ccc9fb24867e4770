import type { ActivityNote, AddressTag } from '../../../relayer/account/notes/notes.ts'

/** A note with the member names of the contract. */
export const describeNote = ({ reference, ciphertext, updatedAt }: ActivityNote) => ({
  reference,
  notePayloadCiphertext: ciphertext,
  notePayloadUpdatedAt: updatedAt,
})

/** A tag with the member names of the contract. */
export const describeTag = ({ address, ciphertext, labelKey, updatedAt }: AddressTag) => ({
  address,
  tagPayloadCiphertext: ciphertext,
  labelKey,
  tagPayloadUpdatedAt: updatedAt,
})
