import { z } from 'zod'
import { described, shape } from './shape.ts'

/** The position after a page, for lists with a cursor. */
export const pagination = shape('Pagination', 'How long this page may be, and where the next one begins.', {
  limit: described(z.int().positive(), 'Most entries that a page has, as asked for.'),
  nextCursor: described(z.string().nullable(), '`cursor` of the next page; null after the last.'),
})
