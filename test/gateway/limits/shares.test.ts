import { expect, it } from 'vitest'
import { createFairGate } from '../../../gateway/limits/fair-gate.ts'
import { getIntrospectionQuery } from 'graphql'
import { call, post } from '../../harness/call.ts'
import { openGateway } from '../open-gateway.ts'
import { sampleQuoteBody } from '../sample-withdrawal.ts'

const from = (address: string) => ({ 'x-forwarded-for': address })

it('a client with too many running requests is refused, others are served', async () => {
  const { url, withdrawals } = await openGateway({ trustedProxies: 1, maxInFlightPerClient: 3 })
  const held = Promise.withResolvers<void>()
  let inHand = 0
  withdrawals.before = () => ((inHand += 1), held.promise)
  const ask = (address: string) => post(`${url}/relayer/quote`, sampleQuoteBody, from(address))
  const greedy = Array.from({ length: 3 }, () => ask('198.51.100.1'))
  await expect.poll(() => inHand).toBe(3)
  const refused = await ask('198.51.100.1')
  expect(refused).toMatchObject({ status: 503, json: { code: 'SERVER_BUSY' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  const other = ask('198.51.100.2')
  await expect.poll(() => inHand).toBe(4)
  held.resolve()
  const statuses = (await Promise.all([...greedy, other])).map(({ status }) => status)
  expect(statuses).toEqual([200, 200, 200, 200])
  // An IPv6 client is its /64.
  withdrawals.before = async () => {}
  expect((await ask('2001:db8::1')).status).toBe(200)
})

it('waiting requests of different clients start in turn', async () => {
  const gate = createFairGate()
  const begun: string[] = []
  const begin = async (client: string) => {
    await gate.enter(client)
    begun.push(client)
  }
  await Promise.all([
    ...Array.from({ length: 30 }, () => begin('greedy')),
    begin('modest'),
    begin('other'),
    begin('modest'),
  ])
  expect(begun).toHaveLength(33)
  expect(begun.slice(0, 6)).toEqual(['greedy', 'greedy', 'modest', 'other', 'greedy', 'modest'])
})

it('a repeated introspection costs a fiftieth of the points, and new ones are limited', async () => {
  const { url } = await openGateway({
    trustedProxies: 1,
    graphql: { pointsPerMinuteOfNetwork: 36_000 },
  })
  const introspect = (extra = '', address = '198.51.100.1') =>
    post(`${url}/graphql`, { query: `${getIntrospectionQuery()} ${extra}` }, from(address))
  const first = await introspect()
  expect(first.status).toBe(200)
  // 15,300 points, then 50 times 300: spaces and comments do not make a new document.
  for (let at = 0; at < 50; at += 1) {
    const again = await introspect(`# ${at}`)
    expect([again.status, again.text === first.text]).toEqual([200, true])
  }
  const anew = await introspect('query Other { __schema { types { name } } }')
  expect(anew.status).toBe(400)
  const aliased = await post(
    `${url}/graphql`,
    { query: '{ other: __schema { types { name } } }' },
    from('198.51.100.1'),
  )
  expect(aliased.status).toBe(429)
  expect((await introspect('', '198.51.100.2')).text).toBe(first.text)
})

it.each([
  ['together with something else', { query: '{ __schema { types { name } } supportedChains { name } }' }],
  [
    'in one of several operations',
    {
      query: 'query A { __schema { types { name } } } query B { supportedChains { name } }',
      operationName: 'A',
    },
  ],
])('an introspection is charged for when it is asked for %s', async (_, document) => {
  const { url } = await openGateway({ graphql: { pointsPerMinuteOfNetwork: 40_000 } })
  const statuses: number[] = []
  for (let at = 0; at < 3; at += 1) statuses.push((await post(`${url}/graphql`, document)).status)
  expect(statuses).toEqual([200, 200, 429])
})

it('a document is charged for everything in it that may run', async () => {
  const { url } = await openGateway({ graphql: { pointsPerMinuteOfNetwork: 60_000 } })
  const aliases = Array.from(
    { length: 25 },
    (_, at) => `a${at}: relayerRequestStatus(requestId: "x") { status }`,
  )
  const statuses: number[] = []
  for (let at = 0; at < 3; at += 1)
    statuses.push((await post(`${url}/graphql`, { query: `{ ${aliases.join(' ')} }` })).status)
  expect(statuses).toEqual([200, 429, 429])
})

it.each([
  ['does not parse', '{ supportedChains {'],
  ['does not validate', '{ supportedChains { color } }'],
])('charges a document that %s, and refuses the next before it is parsed', async (_, query) => {
  const { url } = await openGateway({ trustedProxies: 1, graphql: { pointsPerMinuteOfNetwork: 10_000 } })
  const ask = (address: string) => post(`${url}/graphql`, { query }, from(address))
  const statuses: number[] = []
  for (let at = 0; at < 4; at += 1) statuses.push((await ask('198.51.100.1')).status)
  expect(statuses).toEqual([200, 200, 429, 429])
  const refused = await ask('198.51.100.1')
  expect(refused.json?.['errors']).toMatchObject([{ extensions: { status: 429 } }])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask('198.51.100.2')).status).toBe(200)
})

it('a client without points left is refused, with the time until it may come again', async () => {
  const { url, withdrawals } = await openGateway({
    trustedProxies: 1,
    graphql: { pointsPerMinuteOfNetwork: 6_000 },
  })
  let ran = 0
  withdrawals.before = async () => void (ran += 1)
  const document = {
    query:
      '{ a: relayerRequestStatus(requestId: "x") { status } b: relayerRequestStatus(requestId: "y") { status } }',
  }
  const ask = (address: string) => post(`${url}/graphql`, document, from(address))
  expect([(await ask('198.51.100.1')).status, (await ask('198.51.100.1')).status, ran]).toEqual([200, 200, 4])
  const refused = await ask('198.51.100.1')
  expect([refused.status, ran]).toEqual([429, 4])
  expect(refused.json?.['errors']).toMatchObject([
    { extensions: { error: 'Too Many Requests', status: 429, retryAfter: expect.any(Number) } },
  ])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask('198.51.100.2')).status).toBe(200)
})

it.each([
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/graphql',
])('a document sent as %s is refused, since pages can send that without a preflight', async (type) => {
  const { url } = await openGateway()
  const body = type.includes('urlencoded') ? 'query=%7B__typename%7D' : '{ __typename }'
  const answer = await call(`${url}/graphql`, { method: 'POST', body, headers: { 'content-type': type } })
  expect(answer.status).toBe(415)
  expect(answer.json?.['errors']).toMatchObject([{ extensions: { status: 415 } }])
})

it('metrics and status are computed once for requests within a second', async () => {
  const { url } = await openGateway({ figuresMaxAgeMs: 60_000 })
  for (const path of ['/metrics', '/status.json']) {
    const first = await call(url + path)
    await call(`${url}/relayer/unknown`)
    expect((await call(url + path)).text).toBe(first.text)
  }
})

it('the service warns once about a proxy that is not trusted', async () => {
  const { url, log } = await openGateway()
  const warnings = () => log.filter(({ msg }) => String(msg).includes('http.trustedProxies'))
  await call(`${url}/health/live`)
  expect(warnings()).toEqual([])
  for (let at = 0; at < 3; at += 1) await call(`${url}/health/live`, { headers: from('198.51.100.1') })
  await call(`${url}/health/live`, { headers: { forwarded: 'for=198.51.100.1' } })
  expect(warnings()).toHaveLength(1)
  const trusting = await openGateway({ trustedProxies: 1 })
  await call(`${trusting.url}/health/live`, { headers: from('198.51.100.1') })
  expect(trusting.log.filter(({ msg }) => String(msg).includes('trustedProxies'))).toEqual([])
})
