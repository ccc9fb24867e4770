import { expect, it } from 'vitest'
import { NATIVE_ASSET } from '../../../relayer/chain/nodes/config.ts'
import { call, post } from '../../harness/call.ts'
import { openGateway } from '../open-gateway.ts'
import { sampleRequestBody } from '../sample-withdrawal.ts'

it('an unknown path is answered with 404 in the error format', async () => {
  const { url } = await openGateway()
  for (const path of [
    '/nowhere',
    '/relayer',
    '//relayer/details',
    '/relayer/request/a/b',
    '/relayer/request/%2',
  ]) {
    const answer = await call(url + path)
    expect([path, answer.status]).toEqual([path, path.endsWith('%2') ? 400 : 404])
    expect(answer.json).toMatchObject({ error: expect.any(String), message: expect.any(String) })
  }
})

it('a wrong method is answered with 405 and Allow', async () => {
  const { url } = await openGateway()
  const answer = await call(`${url}/relayer/quote`)
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe('POST, OPTIONS')
  expect(answer.json).toMatchObject({ error: 'Method not allowed' })
  expect((await call(`${url}/relayer/details`, { method: 'DELETE' })).headers.get('allow')).toBe(
    'GET, HEAD, OPTIONS',
  )
  expect((await call(`${url}/graphql`, { method: 'PUT' })).status).toBe(405)
})

it('a trailing slash is tolerated', async () => {
  const { url } = await openGateway()
  const answer = await call(`${url}/relayer/details/?chainId=1&assetAddress=${NATIVE_ASSET}`)
  expect(answer.status).toBe(200)
})

it('HEAD is answered as GET without the body', async () => {
  const { url } = await openGateway()
  const path = `${url}/relayer/details?chainId=1&assetAddress=${NATIVE_ASSET}`
  const [head, get] = [await call(path, { method: 'HEAD' }), await call(path)]
  expect(head.status).toBe(200)
  expect(head.text).toBe('')
  expect(head.headers.get('content-length')).toBe(String(get.text.length))
})

it('a preflight is answered, and every origin may read', async () => {
  const { url } = await openGateway()
  const preflight = await call(`${url}/relayer/request`, {
    method: 'OPTIONS',
    headers: { origin: 'https://wallet.example', 'access-control-request-method': 'POST' },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
  const allowed = preflight.headers.get('access-control-allow-headers')?.split(', ')
  expect(allowed).toEqual([
    'authorization',
    'content-type',
    'idempotency-key',
    'last-event-id',
    'x-graphql-event-stream-token',
    'if-none-match',
    'apollographql-client-name',
    'apollographql-client-version',
    'x-apollo-operation-name',
    'apollo-require-preflight',
    'graphql-preflight',
  ])
  expect(preflight.headers.has('access-control-allow-credentials')).toBe(false)
  expect((await call(`${url}/nowhere`, { method: 'OPTIONS' })).status).toBe(404)
})

it('only the configured origins may read', async () => {
  const { url } = await openGateway({ corsOrigins: ['https://wallet.example'] })
  const originFor = async (origin: string) =>
    (await call(`${url}/health/live`, { headers: { origin } })).headers.get('access-control-allow-origin')
  expect(await originFor('https://wallet.example')).toBe('https://wallet.example')
  expect(await originFor('https://other.example')).toBeNull()
})

it('every answer has a request id', async () => {
  const { url } = await openGateway()
  const ids = await Promise.all(
    [call(url), call(url)].map(async (answer) => (await answer).headers.get('x-request-id')),
  )
  expect(new Set(ids).size).toBe(2)
  expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/)
})

it('the gateway accepts the client address from a trusted proxy only', async () => {
  const forged = { 'x-forwarded-for': '6.6.6.6, 10.0.0.7' }
  const direct = await openGateway()
  await post(`${direct.url}/relayer/request`, sampleRequestBody, forged)
  expect(direct.withdrawals.received[0]?.clientAddress).toBe('127.0.0.1')
  const proxied = await openGateway({ trustedProxies: 1 })
  await post(`${proxied.url}/relayer/request`, sampleRequestBody, forged)
  expect(proxied.withdrawals.received[0]?.clientAddress).toBe('10.0.0.7')
})

it.each([
  ['198.51.100.7:4711', '198.51.100.7'],
  ['[2001:db8:1:2:3::4]:4711', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::4', '2001:db8:1:2::/64'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
])('%s is counted as client %s, whatever its port or number in its network', async (told, client) => {
  const { url, withdrawals } = await openGateway({ trustedProxies: 1 })
  await post(`${url}/relayer/request`, sampleRequestBody, { 'x-forwarded-for': told })
  expect(withdrawals.received[0]?.clientAddress).toBe(client)
})
