import { accountPath } from '../../define/account-path.ts'
import { defineOperation } from '../../define/operation.ts'
import {
  noteBody,
  notePage,
  notesQuery,
  tagBody,
  tagList,
  tagPath,
  writtenNote,
  writtenTag,
} from './model.ts'
import { describeNote, describeTag } from './describe-note.ts'

const section = 'Notes'

export const noteOperations = [
  defineOperation({
    name: 'activityNotes',
    kind: 'query',
    field: 'activityNotes',
    rest: 'GET /v1/accounts/{accountId}/activity-notes',
    status: 200,
    access: 'bearer',
    limit: 60,
    errors: [400, 401, 403, 429],
    section,
    summary: 'The notes on activity',
    description:
      'Newest first. Pages neither repeat nor leave out a note, whatever is written between them; changing a note does not move it.',
    input: { path: accountPath, query: notesQuery },
    output: notePage,
    run: async ({ path, query }, { services }) => {
      const { limit, cursor = null } = query
      const { notes, nextCursor } = await services.notes.list(path.accountId, { limit, cursor })
      return { notes: notes.map(describeNote), pagination: { limit, nextCursor } }
    },
  }),
  defineOperation({
    name: 'writeActivityNote',
    kind: 'mutation',
    rest: 'PUT /v1/accounts/{accountId}/activity-notes',
    status: 200,
    access: 'bearer',
    limit: 60,
    errors: [400, 401, 403, 404, 429],
    codes: ['NOTES_FULL'],
    section,
    summary: 'Set or clear a note',
    description:
      'One per reference; 404 for a quoteId that is not of a quote of the account. The service stores what the client encrypted and cannot read it. An account holds at most 10,000 (400 NOTES_FULL).',
    input: { path: accountPath, body: noteBody },
    output: writtenNote,
    run: async ({ path, body }, { services }) => ({
      note: describeNote(
        await services.notes.write(path.accountId, body.reference, body.notePayloadCiphertext),
      ),
    }),
  }),
  defineOperation({
    name: 'provenanceAddressTags',
    kind: 'query',
    field: 'provenanceAddressTags',
    rest: 'GET /v1/accounts/{accountId}/provenance-address-tags',
    status: 200,
    access: 'bearer',
    limit: 60,
    errors: [401, 403, 429],
    section,
    summary: 'The tags on own addresses',
    description: 'All of them, the last changed first.',
    input: { path: accountPath },
    output: tagList,
    run: async ({ path }, { services }) => ({
      tags: (await services.notes.listTags(path.accountId)).map(describeTag),
    }),
  }),
  defineOperation({
    name: 'writeProvenanceAddressTag',
    kind: 'mutation',
    rest: 'PUT /v1/accounts/{accountId}/provenance-address-tags/{address}',
    status: 200,
    access: 'bearer',
    limit: 60,
    errors: [400, 401, 403, 404, 429],
    codes: ['NOTES_FULL'],
    section,
    summary: 'Set or clear the tag on an own address',
    description:
      '404 for an address that is not the account’s. The service stores what the client encrypted and cannot read it. The tags of an account have at most 4,194,304 characters together (400 NOTES_FULL).',
    input: { path: tagPath, body: tagBody },
    output: writtenTag,
    run: async ({ path, body }, { services }) => ({
      tag: describeTag(
        await services.notes.writeTag(path.accountId, path.address, body.tagPayloadCiphertext),
      ),
    }),
  }),
]
