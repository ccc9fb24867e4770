import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { NATIVE_ASSET } from '../../../relayer/chain/nodes/config.ts'
import { answerLate } from '../../../relayer/errors.ts'
import { call, post } from '../../harness/call.ts'
import { openConnection, rawPost } from '../../harness/raw-connection.ts'
import { subscribe } from '../../harness/subscribe.ts'
import { startGateway, type OpenGateway } from '../open-gateway.ts'
import { sampleRequestBody } from '../sample-withdrawal.ts'

const DETAILS = `/relayer/details?chainId=1&assetAddress=${NATIVE_ASSET}`
const HANGING = `relayerDetails(chainId: 1, assetAddress: "${NATIVE_ASSET}") { feeBPS }`

let gateway: OpenGateway
/** Released when a test has ended. */
let gate: PromiseWithResolvers<void>
beforeAll(async () => {
  gateway = await startGateway({ answerWithinMs: 1_000 })
})
beforeEach(() => {
  gate = Promise.withResolvers<void>()
  gateway.withdrawals.before = () => gate.promise
  return () => gate.resolve()
})
afterAll(() => gateway?.close())

it('a request whose work hangs gets a 503 that says to repeat it, and its work is asked to end', async () => {
  const answer = await post(`${gateway.url}/relayer/request`, sampleRequestBody)
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe(String(answerLate.terms.retryAfterSeconds))
  expect(answer.json).toEqual({
    error: 'Service Unavailable',
    message: answerLate.example,
    code: 'ANSWER_LATE',
  })
  const signal = gateway.withdrawals.received.at(-1)?.signal
  expect(answerLate.matches(signal?.reason)).toBe(true)
})

it('a field that hangs fails alone: the others of its document keep their answers', async () => {
  const answer = await post(`${gateway.url}/graphql`, { query: `{ __typename ${HANGING} }` })
  expect(answer.json).toMatchObject({
    data: { __typename: 'Query', relayerDetails: null },
    errors: [{ path: ['relayerDetails'], extensions: { code: 'ANSWER_LATE', status: 503 } }],
  })
})

it('work that hangs keeps its place among the running requests', async () => {
  const { url, withdrawals, close } = await startGateway({ answerWithinMs: 1_000, maxInFlight: 2 })
  withdrawals.before = () => gate.promise
  const [first, second] = await Promise.all([call(url + DETAILS), call(url + DETAILS)])
  expect([first.json, second.json]).toMatchObject([{ code: 'ANSWER_LATE' }, { code: 'ANSWER_LATE' }])
  expect((await call(url + DETAILS)).json).toMatchObject({ code: 'SERVER_BUSY' })
  gate.resolve()
  await expect.poll(async () => (await call(url + DETAILS)).status).toBe(200)
  await close()
})

it('the time in which a body arrives does not count', async () => {
  const connection = await openConnection(gateway.url)
  const [head = '', body = ''] = rawPost('/relayer/request', JSON.stringify(sampleRequestBody)).split(
    /(?<=\r\n\r\n)/,
  )
  connection.send(head)
  // As long as a request lasts that began later.
  expect((await call(gateway.url + DETAILS)).json).toMatchObject({ code: 'ANSWER_LATE' })
  gate.resolve()
  connection.send(body)
  expect((await connection.answer()).status).toBe(200)
})

it('a stream outlasts the time for an answer', async () => {
  gate.resolve()
  await post(`${gateway.url}/relayer/request`, sampleRequestBody)
  const events = await subscribe(
    gateway.url,
    'subscription { relayerRequestProgress(requestId: "request-1") { status } }',
  )
  expect(await events.next()).toMatchObject({ data: { relayerRequestProgress: { status: 'broadcast' } } })
  const hang = Promise.withResolvers<void>()
  gateway.withdrawals.before = () => hang.promise
  expect((await call(gateway.url + DETAILS)).json).toMatchObject({ code: 'ANSWER_LATE' })
  hang.resolve()
  gateway.withdrawals.advance('request-1', { status: 'confirmed' })
  expect(await events.next()).toMatchObject({ data: { relayerRequestProgress: { status: 'confirmed' } } })
})
