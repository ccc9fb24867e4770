import { z } from 'zod'
import type { NotePosition } from '../../../db/account/notes/activity-notes.ts'
import { badRequest } from '../../errors.ts'

const position = z.tuple([z.int().nonnegative().max(8.64e15), z.uuid(), z.string().regex(/^[\w.-]{1,64}$/)])

/** Where a page of notes ended, as opaque text. */
export function writeNoteCursor({ createdAt, quoteId, type }: NotePosition): string {
  return Buffer.from(JSON.stringify([createdAt.getTime(), quoteId, type])).toString('base64url')
}

/** @throws ServiceError `bad-request` for a cursor that this service did not issue. */
export function readNoteCursor(cursor: string): NotePosition {
  try {
    const [createdAt, quoteId, type] = position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return { createdAt: new Date(createdAt), quoteId, type }
  } catch (cause) {
    throw badRequest('query.cursor: expected a nextCursor of an earlier answer', { cause })
  }
}
