import { z } from 'zod'
import { cursorOf } from '../define/cursor.ts'
import { digits, instant } from '../define/scalars.ts'

/** The range of the database's columns. */
const blockNumber = z
  .string()
  .regex(/^\d{1,18}$/)
  .pipe(digits)

/** The position of a transaction among all of an account's; later transactions do not change it. */
const place = z.codec(
  z.tuple([instant, z.int().positive(), blockNumber, z.int().nonnegative().max(0x7fff_ffff)]),
  z.object({ blockTime: z.date(), chainId: z.int(), blockNumber: z.bigint(), txIndex: z.int() }),
  {
    decode: ([blockTime, chainId, blockNumber, txIndex]) => ({ blockTime, chainId, blockNumber, txIndex }),
    encode: ({ blockTime, chainId, blockNumber, txIndex }) =>
      [blockTime, chainId, blockNumber, txIndex] as [Date, number, bigint, number],
  },
)

export const activityCursor = cursorOf(z.string().max(200), place)
