import { z } from 'zod'
import { cursorOf } from '../../define/cursor.ts'
import { address, instant } from '../../define/scalars.ts'

const place = z.codec(
  z.tuple([instant, address]),
  z.custom<{ lastReceivedAt: Date; address: `0x${string}` }>(),
  {
    decode: ([lastReceivedAt, at]) => ({ lastReceivedAt, address: at }),
    encode: ({ lastReceivedAt, address: at }) => [lastReceivedAt, at] as [Date, `0x${string}`],
  },
)

/** Position of the last item of a page of the review. */
export const reviewCursor = cursorOf(z.string().min(1).max(500), place)
