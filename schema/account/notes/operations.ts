import { activityNotFound, notesFull, taggedAddressNotFound } from '../../../relayer/account/notes/errors.ts'
import { accountMutation, accountQuery } from '../../define/account-operation.ts'
import {
  noteBody,
  notePage,
  notesQuery,
  tagBody,
  tagList,
  tagPath,
  writtenNote,
  writtenTag,
  noteCursor,
} from './model.ts'
import type { ActivityNote, AddressTag } from '../../../relayer/account/notes/notes.ts'

/** A note with the member names of the contract. */
const describeNote = ({ reference, ciphertext, updatedAt }: ActivityNote) => ({
  reference,
  notePayloadCiphertext: ciphertext,
  notePayloadUpdatedAt: updatedAt,
})

/** A tag with the member names of the contract. */
const describeTag = ({ address, ciphertext, labelKey, updatedAt }: AddressTag) => ({
  address,
  tagPayloadCiphertext: ciphertext,
  labelKey,
  tagPayloadUpdatedAt: updatedAt,
})

const section = 'Notes'

export const noteOperations = [
  accountQuery({
    name: 'activityNotes',
    field: 'activityNotes',
    rest: 'GET /v1/accounts/{accountId}/activity-notes',
    limit: 60,
    section,
    summary: 'The notes on activity',
    description:
      'Newest first. Pages neither repeat nor leave out a note, whatever is written between them; changing a note does not move it.',
    input: { query: notesQuery },
    output: notePage,
    run: async ({ path, query }, { services }) => {
      const { limit, cursor = null } = query
      const { notes, nextCursor } = await services.notes.list(path.accountId, { limit, cursor })
      return {
        notes: notes.map(describeNote),
        pagination: { limit, nextCursor: nextCursor && noteCursor.encode(nextCursor) },
      }
    },
  }),
  accountMutation({
    name: 'writeActivityNote',
    rest: 'PUT /v1/accounts/{accountId}/activity-notes',
    limit: 60,
    errors: [activityNotFound, notesFull],
    section,
    summary: 'Set or clear a note',
    description:
      'One per reference; 404 for a quoteId that is not of a quote of the account. The service stores what the client encrypted and cannot read it. An account holds at most 10,000 (400 NOTES_FULL).',
    input: { body: noteBody },
    output: writtenNote,
    run: async ({ path, body }, { services }) => ({
      note: describeNote(
        await services.notes.write(path.accountId, body.reference, body.notePayloadCiphertext),
      ),
    }),
  }),
  accountQuery({
    name: 'provenanceAddressTags',
    field: 'provenanceAddressTags',
    rest: 'GET /v1/accounts/{accountId}/provenance-address-tags',
    limit: 60,
    section,
    summary: 'The tags on own addresses',
    description: 'All of them, the last changed first.',
    output: tagList,
    run: async ({ path }, { services }) => ({
      tags: (await services.notes.listTags(path.accountId)).map(describeTag),
    }),
  }),
  accountMutation({
    name: 'writeProvenanceAddressTag',
    rest: 'PUT /v1/accounts/{accountId}/provenance-address-tags/{address}',
    limit: 60,
    errors: [taggedAddressNotFound, notesFull],
    section,
    summary: 'Set or clear the tag on an own address',
    description:
      '404 for an address that is not the account’s. The service stores what the client encrypted and cannot read it. The tags of an account have at most 4,194,304 characters together (400 NOTES_FULL).',
    input: { path: tagPath, body: tagBody },
    output: writtenTag,
    run: async ({ path, body }, { services }) => ({
      tag: describeTag(
        await services.notes.writeTag(
          path.accountId,
          path.address,
          body.tagPayloadCiphertext,
          body.labelKey ?? null,
        ),
      ),
    }),
  }),
]
