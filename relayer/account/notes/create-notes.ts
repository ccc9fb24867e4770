import type { DatabasePool } from 'slonik'
import type { Address } from 'viem'
import {
  listNotes,
  lockNotes,
  removeNote,
  writeNote,
  type ActivityNoteRow,
} from '../../../db/account/notes/activity-notes.ts'
import {
  listTags,
  lockTags,
  removeTag,
  writeTag,
  type AddressTagRow,
} from '../../../db/account/notes/address-tags.ts'
import type { AddressOwnership } from '../addresses/addresses.ts'
import type { ActivityNote, AddressTag, Notes } from './notes.ts'
import { activityNotFound, notesFull, taggedAddressNotFound } from './errors.ts'

/** Keeps an account from being used as storage. */
const MAX_NOTES = 10_000
/** Limits the list of tags, which has no pages: an account has as many addresses as it likes. */
const MAX_TAG_CHARACTERS = 4 * 1024 * 1024

/**
 * Creates notes and tags over PostgreSQL. Their limits hold under concurrent writes, because writers of one account
 * take turns.
 */
export function createNotes(database: DatabasePool, addresses: AddressOwnership): Notes {
  return {
    async list(accountId, { cursor, limit }) {
      // One more than requested, to detect another page.
      const rows = await listNotes(database, accountId, { after: cursor, limit: limit + 1 })
      const notes = rows.slice(0, limit)
      const end = rows.length > limit ? notes.at(-1) : undefined
      return {
        notes: notes.map(toNote),
        nextCursor: end ? { createdAt: end.createdAt, quoteId: end.quoteId, type: end.type } : null,
      }
    },

    async write(accountId, reference, ciphertext) {
      if (ciphertext === null) {
        await removeNote(database, accountId, reference)
        return { reference, ciphertext: null, updatedAt: null }
      }
      return database.transaction(async (connection) => {
        const { others, isKnown } = await lockNotes(connection, accountId, reference)
        if (!isKnown) throw activityNotFound()
        if (others >= MAX_NOTES) {
          throw notesFull(`An account holds at most ${MAX_NOTES} notes`)
        }
        return toNote(await writeNote(connection, accountId, reference, ciphertext))
      })
    },

    async listTags(accountId) {
      return (await listTags(database, accountId)).map(toTag)
    },

    async writeTag(accountId, address, ciphertext, labelKey = null) {
      if (!(await addresses.owns(accountId, address))) throw taggedAddressNotFound()
      if (ciphertext === null) {
        await removeTag(database, accountId, address)
        return { address, ciphertext: null, labelKey: null, updatedAt: null }
      }
      return database.transaction(async (connection) => {
        const others = await lockTags(connection, accountId, address)
        if (others + ciphertext.length > MAX_TAG_CHARACTERS) {
          throw notesFull(`The tags of an account hold at most ${MAX_TAG_CHARACTERS} characters together`)
        }
        return toTag(await writeTag(connection, accountId, address, ciphertext, labelKey))
      })
    },
  }
}

function toNote({ type, quoteId, ciphertext, updatedAt }: ActivityNoteRow): ActivityNote {
  return { reference: { type, quoteId }, ciphertext, updatedAt }
}

function toTag({ address, ...tag }: AddressTagRow): AddressTag {
  return { ...tag, address: address as Address }
}
