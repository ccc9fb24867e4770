import type { Hex } from 'viem'
import { z } from 'zod'
import { accountPath } from '../../define/account-operation.ts'
import { address, moment, isPlainLine } from '../../define/scalars.ts'
import { described, parameters, shape } from '../../define/shape.ts'

export const contactPath = parameters({
  ...accountPath.shape,
  address: described(address, 'Address of the contact, all lower case or with its EIP-55 checksum.'),
})

const MAX_NAME = 64

const contactName = described(
  z
    .string()
    .min(1)
    .max(2 * MAX_NAME)
    // Counted as the database counts: characters, not UTF-16 units.
    .refine((text) => Array.from(text).length <= MAX_NAME, `expected at most ${MAX_NAME} characters`)
    .refine(isPlainLine, 'expected one line without control characters or blanks at its ends'),
  'Name of the contact: one line of at most 64 characters.',
  { examples: ['Alice'] },
)

const contactSignature = z.codec(
  z.string().regex(/^0x[0-9a-fA-F]{130}$/, 'expected a signature: 0x and 130 hex digits'),
  z.custom<Hex>(),
  { decode: (text) => text as Hex, encode: (hex) => hex },
)

export const contactBody = shape('NewContact', 'A contact, signed by the spending key.', {
  name: contactName,
  issuedAt: described(
    z.iso.datetime('expected a time like 2026-01-31T12:00:00.000Z').max(30),
    'When it was signed, ISO 8601 in UTC.',
  ),
  signature: described(
    contactSignature,
    'EIP-191 signature of the contact message, by the spending key: 65 bytes r‖s‖v in hex.',
  ),
})

export const contact = shape('Contact', 'An entry of the address book.', {
  address: described(address, 'Address of the contact, EIP-55 checksummed.'),
  name: described(z.string(), 'Name that the account gave the contact.'),
  lastUsedAt: described(moment.nullable(), 'When the account last paid the contact; null when it never did.'),
  createdAt: described(moment, 'When the contact was first saved.'),
  updatedAt: described(moment, 'When the contact was last saved.'),
})

export const contactList = shape('AddressBook', 'The contacts.', {
  entries: described(
    z.array(contact),
    'The most recently paid first, then those never paid, from the newest.',
  ),
})
export const savedContact = shape('SavedContact', 'The stored contact.', { entry: contact })
export const deletedContact = shape('DeletedContact', 'Whether there was a contact to delete.', {
  deleted: described(z.boolean(), 'True when there was such a contact.'),
})
export const contactOwnership = shape('ContactOwnership', 'Whether the address is the account’s own.', {
  isOwnAddress: described(z.boolean(), 'True for a one-time address of the account.'),
})
