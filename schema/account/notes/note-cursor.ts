import { z } from 'zod'
import { cursorOf } from '../../define/cursor.ts'
import { instant } from '../../define/scalars.ts'

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
