import { defineError } from '../../service-error.ts'

/** The contact carries another signer's signature. */
export const contactSignatureInvalid = defineError({
  code: 'CONTACT_SIGNATURE_INVALID',
  kind: 'bad-request',
  meaning: 'The contact is not signed by the spending key.',
  retry: 'With the right signature.',
  message: 'The contact does not carry the spending key’s signature',
})

/** The contact was signed too long ago. */
export const contactSignatureExpired = defineError({
  code: 'CONTACT_SIGNATURE_EXPIRED',
  kind: 'bad-request',
  meaning: 'The contact was signed more than ten minutes ago.',
  retry: 'With a new signature.',
  message: 'The contact was signed more than ten minutes ago',
})

/** The contact was signed before the last change to it. */
export const contactSignatureOutdated = defineError({
  code: 'CONTACT_SIGNATURE_OUTDATED',
  kind: 'bad-request',
  meaning: 'The contact was written or deleted since this was signed.',
  retry: 'With a new signature.',
  message: 'The contact was written or deleted since this was signed; sign again',
})

/** The account holds the maximum number of contacts. */
export const addressBookFull = defineError({
  code: 'ADDRESS_BOOK_FULL',
  kind: 'bad-request',
  meaning: 'The address book has the maximum number of contacts.',
  retry: 'Once a contact is deleted.',
  example: 'An address book holds at most 1000 contacts',
})

/** The account was deleted while it saved a contact. */
export const accountGone = defineError({ kind: 'forbidden', message: 'This account has gone' })
