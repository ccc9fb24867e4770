import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { addressCursor } from '../../../schema/account/addresses/model.ts'
import { noteCursor } from '../../../schema/account/notes/model.ts'
import { activityCursor } from '../../../schema/activity/model.ts'
import { catalogCursor } from '../../../schema/market/tokens/model.ts'

const NOW = new Date(1_700_000_000_000)
const QUOTE_ID = randomUUID()
const encode = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url')

describe.each<[string, z.ZodType, unknown]>([
  ['activity', activityCursor, { blockTime: NOW, chainId: 1, blockNumber: 20_000_000n, txIndex: 7 }],
  ['notes', noteCursor, { createdAt: NOW, quoteId: QUOTE_ID, type: 'quote' }],
  ['the catalogue', catalogCursor, [0, 1, 'usdc', 1, '0x00']],
  ['addresses', addressCursor, 500],
])('the cursor of %s', (_, cursor, place) => {
  it('reads back as it was written', () => {
    expect(cursor.decode(cursor.encode(place) as string)).toEqual(place)
  })

  it.each(['nonsense', encode(null), encode('a'), encode({ time: 1 }), encode([1e300, 'x', 'y'])])(
    'is refused when it is %j',
    (text) => {
      const messages = cursor.safeParse(text).error?.issues.map(({ message }) => message)
      expect(messages).toEqual(['expected the nextCursor of an earlier page'])
    },
  )
})

it.each([
  ['a time beyond all dates', activityCursor, [9e15, 1, '1', 0]],
  ['a block number beyond the database’s', activityCursor, [1, 1, '1'.repeat(19), 0]],
  ['an index beyond the database’s', activityCursor, [1, 1, '1', 2 ** 31]],
  ['a chain id of zero', activityCursor, [1, 0, '1', 0]],
  ['a note’s type with a NUL', noteCursor, [1, QUOTE_ID, 'a\0']],
  ['a note’s type with SQL', noteCursor, [1, QUOTE_ID, "'; drop table account; --".repeat(9)]],
  ['a negative derivation nonce', addressCursor, -1],
])('refuses a cursor with %s', (_, cursor: z.ZodType, content) => {
  expect(cursor.safeParse(encode(content)).success).toBe(false)
})
