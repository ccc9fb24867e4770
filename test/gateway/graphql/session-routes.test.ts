import { getIntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { sessionRoutes } from '../../../gateway/graphql/session-routes.ts'
import type { HttpAnswer, HttpRequest } from '../../../gateway/route/route.ts'
import { call } from '../../harness/call.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { openInstance } from '../../relayer/identity/open-instance.ts'
import { createWallet } from '../../relayer/identity/wallet.ts'
import { openGateway } from '../open-gateway.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const MEGABYTE = 1_000_000

/** A gateway, and requests to a stream of one connection that a token reserved. */
async function open(config: Record<string, unknown> = {}) {
  const instance = await openInstance(database)
  const authorization = `Bearer ${await instance.signIn(createWallet())}`
  const { url } = await openGateway(config, { identity: instance.identity })
  const path = `${url}/graphql/stream`
  const reserve = () => call(path, { method: 'PUT', headers: { authorization } })
  const { text: token } = await reserve()
  const headers = { authorization, 'x-graphql-event-stream-token': token }
  return {
    path,
    reserve,
    drop: (id: number) => call(`${path}?operationId=${id}`, { method: 'DELETE', headers }),
    open: (method: string) => fetch(path, { method, headers }),
    run: (operationId: string, query: string) =>
      call(path, { method: 'POST', headers, body: { query, extensions: { operationId } } }),
  }
}

it('results that nobody reads count for their client, until they are dropped', async () => {
  const { run, drop } = await open({ maxUnwrittenPerClient: 3 * MEGABYTE })
  const ask = (id: number) => run(`${id}`, getIntrospectionQuery())
  for (let id = 0; id < 6; id += 1) {
    expect((await ask(id)).status).toBe(202)
    await drop(id)
  }
  const statuses: number[] = []
  for (let id = 0; id < 19 && statuses.at(-1) !== 503; id += 1) statuses.push((await ask(id)).status)
  expect(statuses.at(-1)).toBe(503)
})

it('an answer to HEAD leaves the stream to be opened', async () => {
  const client = await open()
  expect((await client.open('HEAD')).headers.get('content-type')).toBe('text/event-stream')
  const { status, body } = await client.open('GET')
  expect(status).toBe(200)
  await body?.cancel()
})

it('the operations of a reservation end with it', async () => {
  let began: AbortSignal | undefined
  const routes = sessionRoutes(
    {
      findOwner: async () => 'owner',
      run: async (_, ending, deliver) => {
        began = ending.signal
        deliver({ data: {} })
        return null
      },
      unwritten: { owe: () => ({ pay: () => {}, close: () => {} }) },
      shutdown: new AbortController().signal,
    },
    1,
  )
  const send = (method: string, request: Partial<HttpRequest> = {}): Promise<HttpAnswer> | undefined =>
    routes
      .find((route) => route.method === method)
      ?.handle({ headers: {}, query: new URLSearchParams(), ...request } as HttpRequest)
  const token = (await send('PUT'))?.body as string
  const body = Buffer.from(JSON.stringify({ query: '', extensions: { operationId: 'one' } }))
  await send('POST', { query: new URLSearchParams({ token }), readBody: async () => body })
  await vi.waitFor(() => expect(began?.aborted).toBe(true))
})

it('guesses at tokens are limited, and valid ones are not locked out', async () => {
  const { path, reserve } = await open()
  const guess = () => call(path, { method: 'PUT', headers: { authorization: 'Bearer guess' } })
  const statuses = await Promise.all(Array.from({ length: 121 }, guess))
  expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([401, 429]))
  expect((await reserve()).status).toBe(201)
})
