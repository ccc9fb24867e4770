import { z } from 'zod'
import { accountPath } from '../../define/account-operation.ts'
import { address, base64Text, instant, moment } from '../../define/scalars.ts'
import { described, parameters, shape } from '../../define/shape.ts'
import { cursorOf, pagination } from '../../define/cursor.ts'

const place = z.codec(
  z.tuple([instant, z.uuid(), z.string().regex(/^[\w.-]{1,64}$/)]),
  z.object({ createdAt: z.date(), quoteId: z.string(), type: z.string() }),
  {
    decode: ([createdAt, quoteId, type]) => ({ createdAt, quoteId, type }),
    encode: ({ createdAt, quoteId, type }) => [createdAt, quoteId, type] as [Date, string, string],
  },
)

/** Position of the last note of a page. */
export const noteCursor = cursorOf(z.string().min(1).max(500), place)

export const notesQuery = parameters({
  limit: described(z.int().min(1).max(500).default(100), 'Entries of a page, 1 to 500; 100 unless given.'),
  cursor: described(noteCursor.optional(), '`nextCursor` of the page before.'),
})

export const tagPath = parameters({
  ...accountPath.shape,
  address: described(address, 'The account’s one-time address that the tag is on.'),
})

/**
 * Ciphertext that the client made; null and empty text clear. The member is required, so that leaving it out does not
 * clear by accident.
 */
const newCiphertext = described(
  z
    .string()
    .max(8_192)
    .regex(/^(?:[A-Za-z0-9+/_-]+={0,2})?$/, 'expected base64')
    .nullable()
    .transform((text) => text || null),
  'Base64 of what the client encrypted; null or empty clears.',
)

const ciphertext = described(z.string().nullable(), 'Base64 of what the client encrypted; null once cleared.')
const updatedAt = described(moment.nullable(), 'When it was last written; null once cleared.')

const noteReference = shape('NoteReference', 'The subject of a note.', {
  type: described(
    z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,31}$/, 'expected a word of at most 32 letters, digits, _ . -'),
    'Kind of thing that `quoteId` names.',
    { examples: ['quote'] },
  ),
  quoteId: described(z.uuid().toLowerCase(), 'Id of a quote of the account.'),
})

export const noteBody = shape('NewActivityNote', 'A note to set or clear.', {
  reference: noteReference,
  notePayloadCiphertext: newCiphertext,
})

const activityNote = shape('ActivityNote', 'A note that the client encrypted.', {
  reference: noteReference,
  notePayloadCiphertext: ciphertext,
  notePayloadUpdatedAt: updatedAt,
})

export const notePage = shape('ActivityNotePage', 'A page of notes.', {
  notes: described(z.array(activityNote), 'The notes of this page, newest first.'),
  pagination,
})

export const writtenNote = shape('WrittenActivityNote', 'The stored note.', { note: activityNote })

export const tagBody = shape('NewAddressTag', 'A tag to set or clear.', {
  tagPayloadCiphertext: newCiphertext,
  labelKey: described(
    z
      .string()
      .regex(/^[A-Za-z0-9+/_-]{16,126}={0,2}$/, 'expected base64 of 12 to 96 bytes')
      .nullish(),
    'Base64 of what the client made of the label, by HMAC with a key that only it has. Tags with equal keys count as one label in quotes; the service sees which are equal, and nothing else. Null or absent: the label is like no other.',
  ),
})

const addressTag = shape('ProvenanceAddressTag', 'A tag that the client encrypted.', {
  address: described(address, 'The account’s one-time address that the tag is on.'),
  tagPayloadCiphertext: ciphertext,
  labelKey: described(
    base64Text.nullable(),
    '`labelKey` as it was written with the tag; null where the client gave none, and once cleared.',
  ),
  tagPayloadUpdatedAt: updatedAt,
})

export const tagList = shape('ProvenanceAddressTags', 'The tags on own addresses.', {
  tags: described(z.array(addressTag), 'All tags of the account, the last changed first.'),
})
export const writtenTag = shape('WrittenProvenanceAddressTag', 'The stored tag.', { tag: addressTag })
