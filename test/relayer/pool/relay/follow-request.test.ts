import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import { createMemoryState } from '../../../../db/shared-state/create-memory-state.ts'
import { createLogger } from '../../../../gateway/logging.ts'
import {
  createRequestFollowers,
  leadsOn,
  type RequestKey,
} from '../../../../relayer/pool/relay/follow-request.ts'
import { followInPlace } from '../../../../relayer/pool/relay/create-withdrawals.ts'
import { createSubscriptionLimit } from '../../../../relayer/pool/relay/subscription-limit.ts'
import { iterateEvents } from '../../../../relayer/concurrency/iterate-events.ts'
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
const never = () => new Error('no reader is slow here')
const follow = (key: RequestKey, silenceMs?: number) =>
  iterateEvents<RequestProgress>(
    (listener) => createRequestFollowers(database.pool, board, silenceMs).follow(key, signal, listener),
    never,
  )
async function statusesOf(steps: AsyncIterable<RequestProgress>): Promise<RequestStatus[]> {
  const statuses: RequestStatus[] = []
  for await (const { status } of steps) statuses.push(status)
  return statuses
}
const noteOf = (nullifierHash: string) => ({ nullifierHash }) as RequestKey

test.each([randomUUID(), 'what is no id'])(
  'following an unknown request fails at once: %s',
  async (requestId) => {
    await expect(statusesOf(follow({ requestId }))).rejects.toMatchObject({ kind: 'not-found' })
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

/** For steps that take a moment on a busy machine. */
const PATIENT = { timeout: 60_000 }

test('all followers of one request hear of one object, each from where it began', async () => {
  const requestId = randomUUID()
  const followers = createRequestFollowers(database.pool, board)
  const heard: RequestProgress[][] = []
  const ends: unknown[] = []
  const begin = () => {
    const own: RequestProgress[] = []
    heard.push(own)
    followers.follow({ requestId }, signal, {
      next: (progress) => own.push(progress),
      end: (error) => ends.push(error),
    })
  }
  await board.publish(at(requestId, 'received'), 3n)
  for (let count = 0; count < 20; count += 1) begin()
  await vi.waitFor(() => expect(heard.every(({ length }) => length === 1)).toBe(true), PATIENT)
  await board.publish(at(requestId, 'verified'), 3n)
  begin()
  await vi.waitFor(() => expect(heard.every((own) => own.at(-1)?.status === 'verified')).toBe(true), PATIENT)
  await board.publish(at(requestId, 'broadcast', '0x1'), 3n)
  await board.publish(at(requestId, 'failed'), 3n)
  await vi.waitFor(() => expect(ends).toEqual(Array.from({ length: 21 }, () => undefined)), PATIENT)
  const statuses = heard.map((own) => own.map(({ status }) => status))
  const all = ['received', 'verified', 'broadcast', 'failed']
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => all), all.slice(1)])
  expect(new Set(heard.map((own) => own.at(-1))).size).toBe(1)
})

test("a note's follower hears of missed changes, and a local report stays in its instance", async () => {
  const shared = createMemoryState(createLogger({ level: 'silent' }))
  const [here, there] = [createRequestBoard(shared), createRequestBoard(shared)]
  const followers = createRequestFollowers(database.pool, here)
  const heard: RequestStatus[] = []
  expect(here.isFollowedHere()).toBe(false)
  followers.follow(noteOf('77'), signal, { next: ({ status }) => heard.push(status), end: () => {} })
  expect([here.isFollowedHere(), there.isFollowedHere()]).toEqual([true, false])
  const requestId = randomUUID()
  await there.publish(at(requestId, 'received'), 77n)
  await vi.waitFor(() => expect(heard).toEqual(['received']), PATIENT)
  there.tellHere(at(requestId, 'simulated'), 77n)
  here.tellHere(at(requestId, 'verified'), 77n)
  await vi.waitFor(() => expect(heard).toEqual(['received', 'verified']), PATIENT)
  await database.pool.query(sql.typeAlias('void')`
    insert into relay_request (id, chain_id, pool, asset, nullifier_hash, context, withdrawn, status, outbound_id)
    values (${requestId}, 1, 'pool', 'asset', 77, 1, 1, 'confirmed', ${randomUUID()})`)
  followers.lookAgain()
  await vi.waitFor(() => expect(heard).toEqual(['received', 'verified', 'confirmed']), PATIENT)
  // A follower that has heard the end listens no more.
  expect(here.isFollowedHere()).toBe(false)
})

/** Takes places and records which of them were lost. */
function countPlaces(...limits: number[]) {
  const places = createSubscriptionLimit(...limits)
  return (client: string) => {
    const taken = {
      client,
      isLost: false,
      onLost: () => (taken.isLost = true),
      leave: () => places.leave(taken),
    }
    places.take(taken)
    return taken
  }
}

test('followers are limited in total and per client', () => {
  const take = countPlaces(3, 2)
  const { leave } = take('a')
  take('a')
  expect(() => take('a')).toThrow(expect.objectContaining({ kind: 'too-many-requests' }))
  const ofB = take('b')
  leave()
  take('a')
  // Every client has at most its share already.
  expect(() => take('b')).toThrow(expect.objectContaining({ kind: 'unavailable', code: 'SERVER_BUSY' }))
  expect(ofB.isLost).toBe(false)
})

test('sixteen clients with all places leave one to every new client', () => {
  const take = countPlaces()
  const greedy = Array.from({ length: 16 }, (_, client) =>
    Array.from({ length: 64 }, () => take(`greedy ${client}`)),
  )
  const newcomers = Array.from({ length: 200 }, (_, client) => take(`newcomer ${client}`))
  expect(newcomers.some(({ isLost }) => isLost)).toBe(false)
  // Each lost its oldest, and about as many as the others.
  const left = greedy.map((own) => own.filter(({ isLost }) => !isLost))
  expect(left.flat()).toHaveLength(1_024 - 200)
  for (const [client, own] of left.entries()) {
    expect(own.length).toBeGreaterThanOrEqual(51)
    expect(own.length).toBeLessThanOrEqual(52)
    expect(own).toEqual(greedy[client]?.slice(-own.length))
  }
  // Lost places are not given back twice.
  for (const { leave } of greedy.flat()) leave()
  for (const { leave } of newcomers) leave()
  const again = Array.from({ length: 1_024 }, (_, client) => take(`later ${client % 512}`))
  expect(again.some(({ isLost }) => isLost)).toBe(false)
})

test('a follower whose place another client needs is asked to come again', async () => {
  const rooms = {
    places: createSubscriptionLimit(1, 1),
    followers: createRequestFollowers(database.pool, board),
  }
  const followAs = (clientAddress: string, key: RequestKey) =>
    iterateEvents<RequestProgress>(
      (listener) => followInPlace(rooms, { key, clientAddress, signal }, listener),
      never,
    )
  const first = statusesOf(followAs('192.0.2.1', noteOf('71')))
  const refused = expect(first).rejects.toMatchObject({ kind: 'unavailable', code: 'SERVER_BUSY' })
  const leaving = new AbortController()
  followInPlace(
    rooms,
    { key: noteOf('72'), clientAddress: '192.0.2.2', signal: leaving.signal },
    { next: () => {}, end: () => {} },
  )
  await refused
  leaving.abort()
})
