import { defineError } from '../../service-error.ts'

/** The account has the maximum number of notes, or of characters in tags. */
export const notesFull = defineError({
  code: 'NOTES_FULL',
  kind: 'bad-request',
  meaning: 'The account has the maximum number of notes, or of characters in tags.',
  retry: 'Once a note or tag is cleared.',
  example: 'An account holds at most 10000 notes',
})

/** The note refers to an activity that the account does not have. */
export const activityNotFound = defineError({
  kind: 'not-found',
  message: 'This account has no such activity',
})

/** The tag is for an address that the account does not have. */
export const taggedAddressNotFound = defineError({
  kind: 'not-found',
  message: 'This account has no such address',
})
