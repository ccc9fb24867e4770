import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { traceService } from '../../../gateway/compose/trace-service.ts'
import { createLogger } from '../../../gateway/logging.ts'
import { createShutdownList } from '../../../relayer/concurrency/shutdown-list.ts'
import { call, graphql } from '../../harness/call.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { attributeOf, startCollector } from '../../harness/start-collector.ts'
import { openInstance } from '../../relayer/identity/open-instance.ts'
import { createWallet } from '../../relayer/identity/wallet.ts'
import { openGateway } from '../open-gateway.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const PARENT = { trace: randomBytes(16).toString('hex'), span: randomBytes(8).toString('hex') }
const traceparent = (flags: string) => `00-${PARENT.trace}-${PARENT.span}-${flags}`

/** A gateway whose requests are traced for a collector. */
async function openTraced(settings: { sampleRatio?: number; authorization?: string } = {}) {
  const collector = await startCollector()
  onTestFinished(() => collector.close())
  const log: Record<string, unknown>[] = []
  const logger = createLogger({
    level: 'info',
    destination: { write: (line) => void log.push(JSON.parse(line)) },
  })
  const shutdown = createShutdownList(logger)
  const config = { endpoint: collector.url, sampleRatio: 1, ...settings }
  const tracing = await traceService(config, logger, shutdown)
  onTestFinished(() => shutdown.run())
  const instance = await openInstance(database)
  const { url } = await openGateway({}, { identity: instance.identity }, { tracing })
  return { url, instance, collector, log, flush: () => shutdown.run() }
}

it('without a collector nothing is traced', async () => {
  const logger = createLogger({ level: 'silent' })
  await expect(traceService({ sampleRatio: 1 }, logger, createShutdownList(logger))).resolves.toBeNull()
})

it('a request is one trace below its traceparent, with its statements, and has nothing that a client sent', async () => {
  const secret = `collector-${randomBytes(8).toString('hex')}`
  const { url, instance, collector, flush } = await openTraced({ authorization: secret })
  const wallet = createWallet()
  const token = await instance.signIn(wallet)
  const account = crypto.randomUUID()
  const answer = await call(`${url}/v1/nonce?address=${wallet.address}`, {
    headers: {
      authorization: `Bearer ${token}`,
      traceparent: traceparent('01'),
      baggage: 'who=canary-baggage',
    },
  })
  expect(answer.status).toBe(200)
  await call(`${url}/v1/accounts/${account}`, { headers: { authorization: `Bearer ${token}` } })
  await call(`${url}/health/live`)
  await flush()

  const spans = collector.spans()
  const ofClient = spans.filter(({ traceId }) => traceId === PARENT.trace)
  const [root, ...others] = ofClient.toSorted((one, other) =>
    one.name === 'nonce' ? -1 : other.name === 'nonce' ? 1 : 0,
  )
  expect(root).toMatchObject({ name: 'nonce', parentSpanId: PARENT.span })
  expect(attributeOf(root!, 'http.response.status_code')).toBe('200')
  expect(attributeOf(root!, 'stealth_relay.request_id')).toBe(answer.headers.get('x-request-id'))
  expect(others.map(({ name }) => name)).toContain('insert siwe_nonce')
  for (const { parentSpanId } of others) expect(parentSpanId).toBe(root!.spanId)
  // The other request has a trace of its own, and a probe none.
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2)

  const received = collector.received()
  expect(received).toContain(`POST /v1/traces`)
  expect(received).toContain(secret)
  const nonce = String(answer.json?.['nonce'])
  for (const canary of [wallet.address, wallet.address.slice(2), token, account, nonce, 'canary-baggage'])
    expect(received.toLowerCase()).not.toContain(canary.toLowerCase())
})

it('a GraphQL request shows its operations, each with its own steps', async () => {
  const { url, collector, flush } = await openTraced()
  const { address } = createWallet()
  await graphql(url, `{ nonce(address: "${address}") }`)
  await flush()
  const spans = collector.spans()
  const operation = spans.find(({ name }) => name === 'nonce')
  expect(operation).toBeDefined()
  const statement = spans.find(({ name }) => name === 'insert siwe_nonce')
  expect(statement?.parentSpanId).toBe(operation?.spanId)
  expect(spans.find(({ spanId }) => spanId === operation?.parentSpanId)?.name).toBe('graphql')
})

it('a client can ask not to be traced, and cannot ask for more traces than the setting allows', async () => {
  const traced = await openTraced()
  await call(`${traced.url}/v1/.well-known/hpke-public-key`, { headers: { traceparent: traceparent('00') } })
  await traced.flush()
  expect(traced.collector.spans()).toEqual([])

  const untraced = await openTraced({ sampleRatio: 0 })
  await call(`${untraced.url}/v1/.well-known/hpke-public-key`, {
    headers: { traceparent: traceparent('01') },
  })
  await untraced.flush()
  expect(untraced.collector.spans()).toEqual([])
})

it('an invalid traceparent begins a trace of its own', async () => {
  const { url, collector, flush } = await openTraced()
  const invalid = [
    `00-${'0'.repeat(32)}-${PARENT.span}-01`,
    `ff-${PARENT.trace}-${PARENT.span}-01`,
    'x'.repeat(3_000),
  ]
  for (const header of invalid)
    await call(`${url}/v1/.well-known/hpke-public-key`, { headers: { traceparent: header } })
  await flush()
  const roots = collector.spans().filter(({ name }) => name === 'hpkePublicKey')
  expect(roots.map(({ parentSpanId }) => parentSpanId ?? '')).toEqual(['', '', ''])
})

it('while the collector fails, requests are answered, and the log says it once', async () => {
  const { url, collector, log, flush } = await openTraced()
  collector.answer(400)
  for (let asked = 0; asked < 3; asked += 1)
    expect((await call(`${url}/v1/.well-known/hpke-public-key`)).status).toBe(200)
  await flush()
  const [failure, ...more] = log.filter(({ msg }) => msg === 'traces cannot be exported')
  expect(more).toEqual([])
  expect(failure).toMatchObject({ level: 'warn', err: { code: 400 } })
})
