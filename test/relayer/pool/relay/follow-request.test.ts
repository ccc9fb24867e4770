import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemoryState } from '../../../../db/shared-state/create-memory-state.ts'
import { createLogger } from '../../../../gateway/logging.ts'
import { followRequest, leadsOn, type RequestKey } from '../../../../relayer/pool/relay/follow-request.ts'
import { createSubscriptionLimit } from '../../../../relayer/pool/relay/subscription-limit.ts'
import { createRequestBoard } from '../../../../relayer/pool/relay/request-progress.ts'
import type { RequestProgress, RequestStatus } from '../../../../relayer/pool/relay/withdrawals.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const at = (requestId: string, status: RequestStatus, txHash: string | null = null): RequestProgress => ({
  requestId,
  chainId: 1,
  status,
  txHash: txHash as RequestProgress['txHash'],
  error: null,
  updatedAt: 0,
})

test.each<[string, boolean, RequestProgress | null, RequestProgress]>([
  ['the first step', true, null, at('a', 'received')],
  ['the next step', true, at('a', 'verified'), at('a', 'simulated')],
  ['a step twice', false, at('a', 'verified'), at('a', 'verified')],
  ['a step that was overtaken', false, at('a', 'broadcast'), at('a', 'simulated')],
  ['the hash of a transaction', true, at('a', 'broadcast'), at('a', 'broadcast', '0x1')],
  ['the hash of its replacement', true, at('a', 'broadcast', '0x1'), at('a', 'broadcast', '0x2')],
  ['a hash that is forgotten', false, at('a', 'broadcast', '0x1'), at('a', 'broadcast')],
  ['the failure', true, at('a', 'broadcast'), at('a', 'failed')],
  ['a copy that has come as far', false, at('a', 'verified'), at('b', 'verified')],
  ['a copy that has come further', true, at('a', 'verified'), at('b', 'simulated')],
  ['the failure of another request', false, at('a', 'received'), at('b', 'failed')],
])('%s leads on: %s', (_, expected, last, next) => {
  expect(leadsOn(next, last)).toBe(expected)
})

const board = createRequestBoard(createMemoryState(createLogger({ level: 'silent' })))
const signal = new AbortController().signal
const follow = (key: RequestKey, silenceMs?: number) =>
  followRequest(database.pool, board, key, signal, silenceMs)
async function statusesOf(steps: AsyncIterable<RequestProgress>): Promise<RequestStatus[]> {
  const statuses: RequestStatus[] = []
  for await (const { status } of steps) statuses.push(status)
  return statuses
}
const noteOf = (nullifierHash: string) => ({ nullifierHash }) as RequestKey

test.each([randomUUID(), 'what is no id'])(
  'following an unknown request fails at once: %s',
  async (requestId) => {
    await expect(follow({ requestId }).next()).rejects.toMatchObject({ kind: 'not-found' })
  },
)

test('following a note without a request ends after a while', async () => {
  expect(await statusesOf(follow(noteOf('1'), 50))).toEqual([])
})

test('following a request without news ends after a while, and can be repeated', async () => {
  const requestId = randomUUID()
  await board.publish(at(requestId, 'verified'), 2n)
  const seen = () => statusesOf(follow({ requestId }, 50))
  expect(await seen()).toEqual(['verified'])
  await board.publish(at(requestId, 'failed'), 2n)
  expect(await seen()).toEqual(['failed'])
})

test('followers are limited in total and per client', () => {
  const places = createSubscriptionLimit(3, 2)
  const { leave } = places.take('a')
  places.take('a')
  expect(() => places.take('a')).toThrow(expect.objectContaining({ kind: 'too-many-requests' }))
  const ofB = places.take('b')
  leave()
  places.take('a')
  // Nobody has more than it would have then.
  expect(() => places.take('b')).toThrow(
    expect.objectContaining({ kind: 'unavailable', code: 'SERVER_BUSY' }),
  )
  expect(ofB.lost.aborted).toBe(false)
})

test('sixteen clients with all places leave one to every new client', () => {
  const places = createSubscriptionLimit()
  const greedy = Array.from({ length: 16 }, (_, client) =>
    Array.from({ length: 64 }, () => places.take(`greedy ${client}`)),
  )
  const newcomers = Array.from({ length: 200 }, (_, client) => places.take(`newcomer ${client}`))
  expect(newcomers.some(({ lost }) => lost.aborted)).toBe(false)
  // Each lost its oldest, and about as many as the others.
  const left = greedy.map((own) => own.filter(({ lost }) => !lost.aborted))
  expect(left.flat()).toHaveLength(1_024 - 200)
  for (const [client, own] of left.entries()) {
    expect(own.length).toBeGreaterThanOrEqual(51)
    expect(own.length).toBeLessThanOrEqual(52)
    expect(own).toEqual(greedy[client]?.slice(-own.length))
  }
  // What was lost is not given back twice.
  for (const { leave } of greedy.flat()) leave()
  for (const { leave } of newcomers) leave()
  const again = Array.from({ length: 1_024 }, (_, client) => places.take(`later ${client % 512}`))
  expect(again.some(({ lost }) => lost.aborted)).toBe(false)
})
