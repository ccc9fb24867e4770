import { expect, test } from 'vitest'
import { readCursor, writeCursor } from '../../../relayer/activity/cursor.ts'

const encode = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64')

test('a cursor is read as it was written', () => {
  const place = { blockTime: new Date(1_700_000_000_000), chainId: 1, blockNumber: 20_000_000n, txIndex: 7 }
  expect(readCursor(writeCursor(place))).toEqual(place)
})

test.each([
  ['a time beyond all dates', [9e15, 1, '1', 0]],
  ['a block number beyond the database’s', [1, 1, '1'.repeat(19), 0]],
  ['an index beyond the database’s', [1, 1, '1', 2 ** 31]],
  ['a chain that is none', [1, 0, '1', 0]],
  ['something else', { time: 1 }],
])('a cursor with %s is refused', (_, content) => {
  expect(() => readCursor(encode(content))).toThrow(expect.objectContaining({ kind: 'bad-request' }))
})
