import { z } from 'zod'
import { accountPath } from '../../define/account-path.ts'
import { pagination } from '../../define/pagination.ts'
import { address } from '../../define/wire-scalars.ts'

export const notesQuery = z.object({
  limit: z.int().min(1).max(500).default(100),
  cursor: z.string().min(1).max(500).optional(),
})

export const tagPath = accountPath.extend({ address })

/** Ciphertext that the client made; null and empty text clear. The member must be there: leaving it out is no wish to clear. */
const newCiphertext = z
  .string()
  .max(8_192)
  .regex(/^(?:[A-Za-z0-9+/_-]+={0,2})?$/, 'expected base64')
  .nullable()
  .transform((text) => text || null)
  .meta({ description: 'Base64 of what the client encrypted; null or empty clears.' })

const ciphertext = z
  .string()
  .nullable()
  .meta({ description: 'Base64 of what the client encrypted; null once cleared.' })
const updatedAt = z.iso.datetime().nullable().meta({ description: 'Null once cleared.' })

const noteReference = z
  .object({
    type: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,31}$/, 'expected a word of at most 32 letters, digits, _ . -')
      .meta({ description: 'What quoteId names.', examples: ['quote'] }),
    quoteId: z.uuid().toLowerCase(),
  })
  .meta({ id: 'NoteReference', description: 'What a note is about.' })

export const noteBody = z
  .object({ reference: noteReference, notePayloadCiphertext: newCiphertext })
  .meta({ id: 'NewActivityNote', description: 'A note to set or clear.' })

const activityNote = z
  .object({
    reference: noteReference,
    notePayloadCiphertext: ciphertext,
    notePayloadUpdatedAt: updatedAt,
  })
  .meta({ id: 'ActivityNote', description: 'A note that the client encrypted.' })

export const notePage = z
  .object({
    notes: z.array(activityNote),
    pagination,
  })
  .meta({ id: 'ActivityNotePage', description: 'A page of notes.' })

export const writtenNote = z
  .object({ note: activityNote })
  .meta({ id: 'WrittenActivityNote', description: 'The note as it is kept.' })

export const tagBody = z
  .object({ tagPayloadCiphertext: newCiphertext })
  .meta({ id: 'NewAddressTag', description: 'A tag to set or clear.' })

const addressTag = z
  .object({ address, tagPayloadCiphertext: ciphertext, tagPayloadUpdatedAt: updatedAt })
  .meta({ id: 'ProvenanceAddressTag', description: 'A tag that the client encrypted.' })

export const tagList = z
  .object({ tags: z.array(addressTag) })
  .meta({ id: 'ProvenanceAddressTags', description: 'The tags on own addresses.' })
export const writtenTag = z
  .object({ tag: addressTag })
  .meta({ id: 'WrittenProvenanceAddressTag', description: 'The tag as it is kept.' })
