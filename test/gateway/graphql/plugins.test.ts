import { useCSRFPrevention } from '@graphql-yoga/plugin-csrf-prevention'
import { usePrometheus } from '@graphql-yoga/plugin-prometheus'
import { useResponseCache } from '@graphql-yoga/plugin-response-cache'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { call, post } from '../../harness/call.ts'
import { openGateway } from '../open-gateway.ts'
import { sampleRequestBody } from '../sample-withdrawal.ts'

const QUERY = '{ relayerRequestStatus(requestId: "request-1") { status } }'

it('a published response cache answers repeated documents without running them, and they are still charged', async () => {
  const { url, withdrawals } = await openGateway(
    { graphql: { pointsPerMinuteOfNetwork: 2_000 } },
    {},
    { graphqlPlugins: [useResponseCache({ session: () => null })] },
  )
  await post(`${url}/relayer/request`, sampleRequestBody)
  let ran = 0
  withdrawals.before = async () => {
    ran += 1
  }
  const first = await post(`${url}/graphql`, { query: QUERY })
  const again = await post(`${url}/graphql`, { query: QUERY })
  expect(again.json).toEqual(first.json)
  expect([ran, again.headers.get('etag')]).toEqual([1, first.headers.get('etag')])
  expect(first.headers.get('etag')).toBeTruthy()
  const etag = first.headers.get('etag') ?? ''
  const known = await post(`${url}/graphql`, { query: QUERY }, { 'if-none-match': etag })
  expect([known.status, known.text]).toEqual([304, ''])
  const statuses: number[] = []
  while (statuses.length < 5) statuses.push((await post(`${url}/graphql`, { query: QUERY })).status)
  expect([statuses[0], statuses.at(-1), ran]).toEqual([200, 429, 1])
})

it('a published metrics plugin counts requests, operations and errors', async () => {
  const registry = new Registry()
  const { url } = await openGateway(
    {},
    {},
    {
      graphqlPlugins: [
        usePrometheus({
          registry,
          metrics: {
            graphql_envelop_request: true,
            graphql_envelop_error_result: true,
            graphql_envelop_phase_execute: true,
            graphql_yoga_http_duration: true,
          },
        }),
      ],
    },
  )
  await post(`${url}/relayer/request`, sampleRequestBody)
  await post(`${url}/graphql`, { query: `query Found ${QUERY}` })
  await post(`${url}/graphql`, { query: 'query Missing { relayerRequestStatus(requestId: "x") { status } }' })
  // The plugin writes some of them when the events have ended.
  const metrics = () => expect.poll(() => registry.metrics())
  await metrics().toMatch(/graphql_envelop_request\{[^}]*operationName="Found"[^}]*\} 1/)
  await metrics().toMatch(/graphql_envelop_error_result\{[^}]*operationName="Missing"/)
  await metrics().toMatch(/graphql_envelop_phase_execute_count\{[^}]*operationName="Found"[^}]*\} 1/)
  await metrics().toMatch(/graphql_yoga_http_duration_count\{[^}]*statusCode="200"/)
})

it('a published protection against forged requests demands its header, in the error format of the API', async () => {
  const { url } = await openGateway({}, {}, { graphqlPlugins: [useCSRFPrevention()] })
  const path = `${url}/graphql?query=${encodeURIComponent('{ __typename }')}`
  const refused = await call(path)
  expect([refused.status, refused.json]).toMatchObject([
    403,
    {
      errors: [{ message: 'Required CSRF header(s) not present', extensions: { code: expect.any(String) } }],
    },
  ])
  const allowed = await call(path, { headers: { 'x-graphql-yoga-csrf': '1' } })
  expect([allowed.status, allowed.json]).toEqual([200, { data: { __typename: 'Query' } }])
  expect((await post(`${url}/graphql`, { query: '{ __typename }' })).status).toBe(200)
})
