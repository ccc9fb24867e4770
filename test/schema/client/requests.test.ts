import { afterEach, expect, test } from 'vitest'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { askGraph } from '../../../schema/client/requests/ask-graph.ts'
import { askService } from '../../../schema/client/requests/ask-service.ts'
import { callOperation } from '../../../schema/client/requests/call-operation.ts'
import { RETRIES } from '../../../schema/client/requests/operations.ts'
import { followStream } from '../../../schema/client/requests/read-events.ts'
import { isRefusal, type ServiceRefusal } from '../../../schema/client/requests/service-refusal.ts'
import { operations } from '../../../schema/features.ts'
import { errorsOf } from '../../../schema/define/operation-errors.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void
let server: Server | undefined
afterEach(() => server?.closeAllConnections())
afterEach(() => server?.close())

/** A server that gives these answers, one for each request, and the requests that it got. */
async function serve(...answers: Answer[]) {
  const requests: IncomingMessage[] = []
  server = createServer((request, response) => {
    answers[requests.length]?.(request, response)
    requests.push(request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const lost: Answer = ({ socket }) => socket.destroy()
const QUOTE = '/v1/accounts/x/quote'

test('a quote whose answer is lost is asked for again with the same key', async () => {
  const { url, requests } = await serve(lost, json(200, { quoteId: 'a' }))
  expect(await askService(url, 'POST', QUOTE, {})).toEqual({ quoteId: 'a' })
  const keys = requests.map(({ headers }) => headers['idempotency-key'])
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]])
})

test('a request that changes something and honours no key is not sent again', async () => {
  const { url, requests } = await serve(lost, json(200, {}))
  await expect(askService(url, 'POST', '/v1/verify', {})).rejects.toThrow(TypeError)
  expect(requests).toHaveLength(1)
})

test('an error that declares it is repeated after Retry-After, and no other', async () => {
  const busy = json(503, { error: 'x', message: 'x', code: 'SERVER_BUSY' }, { 'retry-after': '0' })
  const poor = json(400, { error: 'x', message: 'x', code: 'INSUFFICIENT_BALANCE', available: '7' })
  const { url, requests } = await serve(busy, poor)
  const refusal = await askService(url, 'GET', '/v1/token-catalog').catch((error: unknown) => error)
  expect(requests).toHaveLength(2)
  expect(isRefusal(refusal, 'INSUFFICIENT_BALANCE') && refusal.body.available).toBe('7')
  expect((refusal as ServiceRefusal).retry).toBe('changed')
})

test('a request is sent without its key once the account has no keys left, as the error declares', async () => {
  const spent = json(
    429,
    { error: 'x', message: 'x', code: 'IDEMPOTENCY_KEYS_EXHAUSTED' },
    { 'retry-after': '600' },
  )
  const { url, requests } = await serve(spent, json(200, {}))
  await askService(url, 'POST', QUOTE, {})
  expect(requests.map(({ headers }) => 'idempotency-key' in headers)).toEqual([true, false])
})

test('an operation is called by its name, with path, query and lists', async () => {
  const { url, requests } = await serve(json(200, {}))
  await callOperation(url, 'accountBalance', { path: { accountId: 'a b' }, query: { include: ['market'] } })
  expect(requests[0]?.url).toBe('/v1/accounts/a%20b/balance?include=market')
})

test('every code that an operation declares has a class of retry', () => {
  const codes = operations.flatMap((one) => errorsOf(one).flatMap(({ terms }) => terms.code ?? []))
  expect(Object.keys(RETRIES).toSorted()).toEqual([...new Set(codes)].toSorted())
})

test('a cut stream is connected again from its last id, and a completed one ends', async () => {
  const stream =
    (...events: string[]): Answer =>
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(events.join(''))
    }
  const next = (id: number) => `event: next\nid: ${id}\ndata: {"data":{"n":${id}}}\n\n`
  const { url, requests } = await serve(stream(next(1)), lost, stream(next(2), 'event: complete\ndata:\n\n'))
  const { signal } = new AbortController()
  const seen: number[] = []
  for await (const { n } of followStream<{ n: number }>({
    url,
    query: 'subscription { n }',
    variables: {},
    headers: async () => ({}),
    signal,
  }))
    seen.push(n)
  expect(seen).toEqual([1, 2])
  expect(requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1', '1'])
})

test('an error of a GraphQL answer is a refusal with its code and members, as by REST', async () => {
  const extensions = { status: 429, code: 'QUOTE_LOCK_CONFLICT', retryAfter: 3 }
  const failed = json(200, { data: { quote: null }, errors: [{ message: 'wait', extensions }] })
  const { url, requests } = await serve(json(200, { data: { nonce: 'a' } }), failed)
  expect(await askGraph(url, '{ nonce }')).toEqual({ nonce: 'a' })
  expect(requests[0]).toMatchObject({ method: 'POST', url: '/graphql' })
  const refusal = await askGraph(url, '{ quote }').catch((error: unknown) => error)
  expect(isRefusal(refusal, 'QUOTE_LOCK_CONFLICT')).toBe(true)
  expect(refusal).toMatchObject({ status: 429, retryAfterSeconds: 3 })
})
