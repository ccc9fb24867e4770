import { expect, it, onTestFinished, vi } from 'vitest'
import { iterateEvents, type EventListener } from '../../../relayer/concurrency/iterate-events.ts'
import type { RequestProgress } from '../../../relayer/pool/relay/withdrawals.ts'
import { openConnection } from '../../harness/raw-connection.ts'
import { subscribe } from '../../harness/subscribe.ts'
import { openGateway } from '../open-gateway.ts'

/** More than are written to at once. */
const CROWD = 40
const PATIENT = { timeout: 60_000 }

/** A gateway whose relayer gives all followers the same objects, as the real one does. */
async function openTold(config: Record<string, unknown> = {}) {
  const gateway = await openGateway(config)
  const listeners = new Set<EventListener<RequestProgress>>()
  gateway.withdrawals.subscribe = (_, { signal }) =>
    iterateEvents(
      (listener) => {
        listeners.add(listener)
        signal.addEventListener('abort', () => listeners.delete(listener))
      },
      () => new Error('too slow'),
    )
  const tell = (status: RequestProgress['status'], requestId = 'request-1') => {
    const progress = { requestId, chainId: 1, status, txHash: null, error: null, updatedAt: 0 }
    for (const listener of listeners) {
      listener.next(progress)
      if (status === 'confirmed') listener.end()
    }
  }
  return { ...gateway, listeners, tell }
}

const documentOf = (note: number) =>
  `subscription { relayerRequestProgress(nullifierHash: "${note}") { requestId status } }`
const followMany = (url: string, noteOf: (place: number) => number) =>
  Promise.all(Array.from({ length: CROWD }, (_, place) => subscribe(url, documentOf(noteOf(place)))))
const step = (status: string) => ({ data: { relayerRequestProgress: { requestId: 'request-1', status } } })

it('a crowd hears of every step in order, also while a request does not end', async () => {
  const { url, tell, withdrawals, listeners } = await openTold()
  const crowd = await followMany(url, () => 12)
  await vi.waitFor(() => expect(listeners.size).toBe(CROWD), PATIENT)
  const leave = new AbortController()
  onTestFinished(() => leave.abort())
  const asked = vi.fn<() => Promise<void>>(() => new Promise(() => {}))
  withdrawals.before = asked
  const search = new URLSearchParams({ chainId: '1', assetAddress: `0x${'ee'.repeat(20)}` })
  void fetch(`${url}/relayer/details?${search}`, { signal: leave.signal }).catch(() => undefined)
  await vi.waitFor(() => expect(asked).toHaveBeenCalled(), PATIENT)
  for (const status of ['received', 'verified', 'confirmed'] as const) tell(status)
  for (const follower of crowd) {
    for (const status of ['received', 'verified', 'confirmed'])
      expect(await follower.next()).toEqual(step(status))
    expect(await follower.next()).toBeUndefined()
  }
  await vi.waitFor(() => expect(listeners.size).toBe(0), PATIENT)
})

it('followers that leave during a report disturb no others', async () => {
  const { url, tell, listeners, log } = await openTold()
  const crowd = await followMany(url, () => 12)
  await vi.waitFor(() => expect(listeners.size).toBe(CROWD), PATIENT)
  const staying = crowd.filter((_, place) => place % 2 === 0)
  tell('received')
  for (const follower of crowd) if (!staying.includes(follower)) follower.leave()
  tell('verified')
  await vi.waitFor(() => expect(listeners.size).toBe(staying.length), PATIENT)
  tell('confirmed')
  for (const follower of staying) {
    for (const status of ['received', 'verified', 'confirmed'])
      expect(await follower.next()).toEqual(step(status))
    expect(await follower.next()).toBeUndefined()
  }
  // Each is logged once, when it has ended.
  await vi.waitFor(() => {
    const ended = log.filter(({ msg, operation }) => msg === 'request' && operation === 'graphql')
    expect(ended.map(({ gone }) => gone).filter(Boolean)).toHaveLength(CROWD - staying.length)
    expect(ended).toHaveLength(CROWD)
  }, PATIENT)
})

it('followers by different documents each get the fields of their own', async () => {
  const { url, tell, listeners } = await openTold()
  const short = await subscribe(url, 'subscription { relayerRequestProgress(requestId: "a") { status } }')
  const named = await subscribe(
    url,
    'subscription { told: relayerRequestProgress(requestId: "a") { ...Of } } fragment Of on Relay { id: requestId }',
  )
  await vi.waitFor(() => expect(listeners.size).toBe(2), PATIENT)
  tell('received')
  expect(await short.next()).toEqual({ data: { relayerRequestProgress: { status: 'received' } } })
  expect(await named.next()).toEqual({ data: { told: { id: 'request-1' } } })
  short.leave()
  named.leave()
})

it('a follower that reads nothing loses its stream, and no other', async () => {
  const { url, tell, listeners } = await openTold({ writeTimeoutMs: 1_000 })
  const reader = await subscribe(url, documentOf(12))
  const { socket, send } = await openConnection(url)
  socket.pause()
  const body = JSON.stringify({ query: documentOf(12) })
  send(
    'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\naccept: text/event-stream\r\n' +
      `content-length: ${body.length}\r\n\r\n${body}`,
  )
  await vi.waitFor(() => expect(listeners.size).toBe(2), PATIENT)
  const long = 'x'.repeat(64 * 1_024)
  for (let count = 0; listeners.size === 2; count += 1) {
    tell('received', `${count} ${long}`)
    const { data } = (await reader.next()) as { data: { relayerRequestProgress: { requestId: string } } }
    expect(data.relayerRequestProgress.requestId).toBe(`${count} ${long}`)
    expect(count).toBeLessThan(2_000)
  }
  tell('confirmed')
  expect(await reader.next()).toEqual(step('confirmed'))
  expect(await reader.next()).toBeUndefined()
  socket.destroy()
})
