import { randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deriveAccounts } from '../devnet/accounts.ts'
import { openPayer } from '../harness/chain-actors.ts'
import { call } from '../harness/call.ts'
import { relayBody, untilFinal } from '../harness/relay-requests.ts'
import { attributeOf, startCollector, type Collector, type ReceivedSpan } from '../harness/start-collector.ts'
import { startTestService } from '../harness/start-service.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'
import { openWalletSender } from '../relayer/transact/submissions/open-wallet-sender.ts'
import { loadRelayVectors } from '../vectors/load-relay-vectors.ts'

let collector: Collector
/** Headers of all requests that this process sent by undici: to nodes, venues and sources of prices. */
let sent: string[]
const hear = (message: unknown) => {
  const { headers } = (message as { request: { headers: unknown } }).request
  sent.push(JSON.stringify(headers))
}

beforeEach(async () => {
  collector = await startCollector()
  sent = []
  subscribe('undici:request:create', hear)
})
afterEach(async () => {
  unsubscribe('undici:request:create', hear)
  await collector.close()
})

/** A client's own trace, and its header. */
function openParent() {
  const trace = randomBytes(16).toString('hex')
  const span = randomBytes(8).toString('hex')
  return { trace, span, header: { traceparent: `00-${trace}-${span}-01` } }
}

/** Waits for the transaction of a trace, and returns it with the trace's first span and all others. */
async function readTrace({ trace, span }: ReturnType<typeof openParent>) {
  const ofTrace = () => collector.spans().filter(({ traceId }) => traceId === trace)
  await expect.poll(() => ofTrace().map(({ name }) => name)).toContain('transaction')
  const root = ofTrace().find(({ parentSpanId }) => parentSpanId === span)!
  const transaction = ofTrace().find(({ name }) => name === 'transaction')!
  return { root, transaction, names: ofTrace().map(({ name }) => name) }
}

const eventsOf = ({ events }: ReceivedSpan) => events.map(({ name }) => name)

/** Checks that no export has one of these texts, and no request to others the id of a trace. */
function expectNothingTold(parent: ReturnType<typeof openParent>, canaries: readonly string[]): void {
  const received = collector.received().toLowerCase()
  for (const canary of canaries) {
    const bare = canary.replace(/^0x/, '').toLowerCase()
    expect(bare.length).toBeGreaterThan(7)
    expect(received).not.toContain(bare)
  }
  for (const { address, privateKey } of [...deriveAccounts().signers, deriveAccounts().feeReceiver])
    for (const text of [address, privateKey]) expect(received).not.toContain(text.slice(2).toLowerCase())
  // Answers of the test's own client have the header that it sent.
  const toNodes = sent.filter((headers) => !headers.includes(parent.trace))
  expect(toNodes.length).toBeGreaterThan(5)
  expect(sent.filter((headers) => headers.includes(parent.trace))).toHaveLength(1)
  expect(toNodes.join('').toLowerCase()).not.toMatch(/traceparent|tracestate|baggage/)
}

test('a send is one trace, from its submission through threads, database and nodes to its transaction', async () => {
  const service = await startSendingService({ tracing: { endpoint: collector.url } })
  try {
    const payer = await openPayer(service, 5)
    const sender = await openWalletSender(service, payer)
    const recipient = privateKeyToAddress(generatePrivateKey())
    const amount = '123456789012345678'
    const from = await sender.receiveAll(zeroAddress, [10n ** 18n])
    const quote = await sender.quote({ token: zeroAddress, amount, destinationAddress: recipient })
    const parent = openParent()
    const signed = await sender.sign(quote)
    const { body } = await sender.post('/submit', signed, parent.header)
    const { txHash } = body as { txHash: string }
    const { root, transaction, names } = await readTrace(parent)
    expect(attributeOf(root, 'http.response.status_code')).toBe('200')
    expect(transaction.parentSpanId).toBe(root.spanId)
    expect(attributeOf(transaction, 'stealth_relay.hash')).toBe(txHash)
    expect(eventsOf(transaction)).toEqual(['sent', 'confirmed'])
    expect(names).toEqual(
      expect.arrayContaining(['thread simulate', expect.stringMatching(/^eth_/), 'select submit_quote']),
    )
    const signatures = JSON.stringify(signed).match(/0x[0-9a-f]{100,}/g) ?? []
    expect(signatures.length).toBeGreaterThan(0)
    const { accountId, token } = sender.client
    expectNothingTold(parent, [recipient, ...from, amount, accountId, token, quote.quoteId, ...signatures])
  } finally {
    await service.stop()
  }
})

test('a relay is one trace, from its request to its transaction', async () => {
  const service = await startTestService(
    { tracing: { endpoint: collector.url } },
    { hasVectorDeposits: true },
  )
  try {
    const vector = loadRelayVectors().relays[0]!
    const body = await relayBody(vector)
    const parent = openParent()
    const answer = await call(`${service.url}/relayer/request`, {
      method: 'POST',
      body,
      headers: parent.header,
    })
    await untilFinal(service.url, String(answer.json?.['requestId']))
    const { root, transaction, names } = await readTrace(parent)
    expect(root.name).toBe('relayerRequest')
    expect(transaction.parentSpanId).toBe(root.spanId)
    expect(attributeOf(transaction, 'stealth_relay.hash')).toBe(answer.json?.['txHash'])
    expect(eventsOf(transaction)).toEqual(['sent', 'confirmed'])
    expect(names).toEqual(expect.arrayContaining(['thread verify', 'thread simulate']))
    const numbers = JSON.stringify(body).match(/[0-9]{30,}|0x[0-9a-f]{64,}/g) ?? []
    expect(numbers.length).toBeGreaterThan(10)
    expectNothingTold(parent, numbers)
  } finally {
    await service.stop()
  }
})
