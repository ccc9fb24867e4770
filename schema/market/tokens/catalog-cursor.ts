import { z } from 'zod'
import { cursorOf } from '../../define/cursor.ts'

/** Position of the last token of a page of the catalogue. */
export const catalogCursor = cursorOf(
  z.string().min(1).max(512),
  z.tuple([z.int(), z.int(), z.string().max(64), z.int(), z.string().max(64)]).readonly(),
)
