import { z } from 'zod'

/** Beside a page whose place clients remember by a cursor. */
export const pagination = z
  .object({
    limit: z.int().positive(),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'Pagination', description: 'Where the next page begins.' })
