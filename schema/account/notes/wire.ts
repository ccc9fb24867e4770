import type { z } from 'zod'
import type { ActivityNote, AddressTag } from '../../../relayer/account/notes/notes.ts'
import type * as model from './model.ts'

type Wire<Shape extends z.ZodType> = z.input<Shape>

export function noteToWire(note: ActivityNote): Wire<typeof model.writtenNote>['note'] {
  return {
    reference: note.reference,
    notePayloadCiphertext: note.ciphertext,
    notePayloadUpdatedAt: note.updatedAt?.toISOString() ?? null,
  }
}

export function tagToWire(tag: AddressTag): Wire<typeof model.writtenTag>['tag'] {
  return {
    address: tag.address,
    tagPayloadCiphertext: tag.ciphertext,
    tagPayloadUpdatedAt: tag.updatedAt?.toISOString() ?? null,
  }
}
