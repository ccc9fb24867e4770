import { z } from 'zod'
import { described, shape } from './shape.ts'

/**
 * A codec for the position where a page ended. On the wire it is opaque text (base64url of JSON) that clients return
 * unchanged, so its content may change.
 *
 * @param text The wire side, with its bounds.
 * @param place The content; any other content is refused.
 */
export function cursorOf<Place extends z.ZodType>(text: z.ZodString, place: Place) {
  return z.codec(text, z.custom<z.output<Place>>(), {
    decode(cursor, { issues }): z.output<Place> {
      const read = place.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()))
      if (read.success) return read.data
      issues.push({ code: 'custom', message: 'expected the nextCursor of an earlier page', input: cursor })
      return z.NEVER
    },
    encode: (at) => Buffer.from(JSON.stringify(z.encode(place, at))).toString('base64url'),
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The position after a page, for lists with a cursor. */
export const pagination = shape('Pagination', 'How long this page may be, and where the next one begins.', {
  limit: described(z.int().positive(), 'Most entries that a page has, as asked for.'),
  nextCursor: described(z.string().nullable(), '`cursor` of the next page; null after the last.'),
})
