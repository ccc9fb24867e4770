import { expect, it } from 'vitest'
import { NATIVE_ASSET } from '../../../relayer/chain/nodes/config.ts'
import { call, graphql, post } from '../../harness/call.ts'
import { openGateway } from '../open-gateway.ts'
import { openConnection, rawPost } from '../../harness/raw-connection.ts'
import { sampleQuoteBody, sampleRequestBody } from '../sample-withdrawal.ts'
import { serverBusy } from '../../../relayer/errors.ts'
import { poolStateRefreshing } from '../../../relayer/pool/errors.ts'
import { ServiceError } from '../../../relayer/service-error.ts'
import { assetNotSupported } from '../../../relayer/pool/relay/errors.ts'

const DETAILS = `/relayer/details?chainId=1&assetAddress=${NATIVE_ASSET}`

it('an unexpected error is masked and logged in full under the id that the client gets', async () => {
  const { url, withdrawals, log } = await openGateway()
  withdrawals.before = async () => {
    throw new Error('password of the database', { cause: new Error('deep inside') })
  }
  const answer = await call(url + DETAILS)
  expect(answer.status).toBe(500)
  const id = answer.headers.get('x-request-id') ?? ''
  expect(answer.json?.['error']).toBe('Internal Server Error')
  expect(answer.json?.['message']).toContain(id)
  expect(answer.text).not.toContain('password')
  const entry = log.find((line) => line['level'] === 'error' && line['requestId'] === id)
  expect(JSON.stringify(entry)).toContain('password of the database')
  expect(JSON.stringify(entry)).toContain('deep inside')
})

it('a GraphQL client gets the same for expected and unexpected errors', async () => {
  const { url, withdrawals } = await openGateway()
  const query = `{ relayerDetails(chainId: 1, assetAddress: "${NATIVE_ASSET}") { feeBPS } }`
  const errors = [
    poolStateRefreshing('Roots are stale'),
    new ServiceError(assetNotSupported, 'Not served', { details: { tokenSymbol: 'X', available: 1n } }),
    new Error('secret'),
  ]
  for (const error of errors) {
    withdrawals.before = async () => {
      throw error
    }
    const rest = await call(url + DETAILS)
    const fault = (await graphql(url, query)).errors?.[0]
    const { message, ...members } = rest.json ?? {}
    // REST shows the class by its status, GraphQL by a code.
    expect(fault?.extensions).toEqual({ code: 'INTERNAL_SERVER_ERROR', ...members, status: rest.status })
    const withoutId = (text: unknown) => String(text).replace(/[0-9a-f-]{36}/, '')
    expect(withoutId(fault?.message)).toBe(withoutId(message))
    expect(fault?.path).toEqual(['relayerDetails'])
  }
})

it('a 503 says when to try again', async () => {
  const { url, withdrawals } = await openGateway()
  withdrawals.before = async () => {
    throw serverBusy('The proving queue is full')
  }
  const answer = await post(`${url}/relayer/request`, sampleRequestBody)
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('1')
  expect(answer.json).toEqual({
    error: 'Service Unavailable',
    message: 'The proving queue is full',
    code: 'SERVER_BUSY',
  })
})

it('requests above the in-flight limit are answered with 503 SERVER_BUSY', async () => {
  const { url, withdrawals } = await openGateway({ maxInFlight: 2 })
  const gate = Promise.withResolvers<void>()
  withdrawals.before = () => gate.promise
  const held = [call(url + DETAILS), call(url + DETAILS)]
  const refused = await Promise.race([call(url + DETAILS), ...held])
  expect(refused.status).toBe(503)
  expect(refused.json?.['code']).toBe('SERVER_BUSY')
  expect((await call(`${url}/health/live`)).status).toBe(200)
  const viaGraphql = await post(`${url}/graphql`, { query: '{ __typename }' })
  expect(viaGraphql.status).toBe(503)
  expect(viaGraphql.json?.['errors']).toMatchObject([{ extensions: { status: 503, code: 'SERVER_BUSY' } }])
  gate.resolve()
  for (const answer of await Promise.all(held)) expect(answer.status).toBe(200)
  expect((await call(url + DETAILS)).status).toBe(200)
})

it('the work for a client that disconnected is aborted', async () => {
  const { url, withdrawals } = await openGateway()
  const started = Promise.withResolvers<AbortSignal>()
  const gate = Promise.withResolvers<void>()
  withdrawals.before = () => {
    const signal = withdrawals.received[0]?.signal
    if (signal) started.resolve(signal)
    return gate.promise
  }
  const connection = await openConnection(url)
  connection.send(rawPost('/relayer/request', JSON.stringify(sampleRequestBody)))
  const signal = await started.promise
  expect(signal.aborted).toBe(false)
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
  connection.socket.destroy()
  await aborted
  gate.resolve()
})

it('the log has the operation, status and duration of requests, and nothing of their content', async () => {
  const { url, log } = await openGateway()
  await post(`${url}/relayer/request`, sampleRequestBody)
  await post(`${url}/relayer/quote`, sampleQuoteBody)
  const entries = log.filter((line) => line['msg'] === 'request')
  expect(entries.map((line) => [line['operation'], line['status'], line['level']])).toEqual([
    ['relayerRequest', 200, 'info'],
    ['relayerQuote', 200, 'info'],
  ])
  expect(JSON.stringify(log)).not.toContain(sampleQuoteBody.recipient)
  expect(JSON.stringify(log)).not.toContain('127.0.0.1')
})

it('a shutdown finishes running requests and accepts no new ones', async () => {
  const { url, withdrawals, close } = await openGateway()
  const gate = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  withdrawals.before = () => {
    started.resolve()
    return gate.promise
  }
  const inHand = call(url + DETAILS)
  await started.promise
  const closed = close(30_000)
  await expect(call(`${url}/health/live`)).rejects.toThrow()
  gate.resolve()
  expect((await inHand).status).toBe(200)
  expect((await inHand).headers.get('connection')).toBe('close')
  await closed
})

it('a shutdown closes unused connections at once', async () => {
  const { url, close } = await openGateway()
  const unused = await openConnection(url)
  // Its answer shows that the server has already accepted the connection.
  await call(`${url}/health/live`)
  const closed = close(60_000)
  await unused.closed()
  await closed
})

it('a shutdown ends requests that exceed the grace period', async () => {
  const { url, withdrawals, close } = await openGateway()
  const started = Promise.withResolvers<void>()
  withdrawals.before = () => {
    started.resolve()
    return new Promise(() => {})
  }
  const inHand = call(url + DETAILS)
  const refused = expect(inHand).rejects.toThrow()
  await started.promise
  await close(10)
  await refused
})
