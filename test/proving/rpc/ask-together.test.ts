import { afterEach, describe, expect, test } from 'vitest'
import { askNode, TransportError } from '../../../proving/rpc/json-rpc.ts'
import { startRpcServer } from './json-rpc-server.ts'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

interface Call {
  id: number
  method: string
  params: [string]
}

/** A node's refusal: a status and a body; null closes the connection. */
type Refusal = (calls: readonly Call[]) => { status?: number; body: unknown } | null

const error = (code: number, message: string, id: number | null = null, data?: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data && { data }) },
})

/** A node that takes `most` calls in one request. */
async function startNode(most: number, refuse: Refusal) {
  const sizes: number[] = []
  const server = await startRpcServer(({ body }, response) => {
    const asked = JSON.parse(body) as Call | Call[]
    const calls = [asked].flat()
    sizes.push(calls.length)
    if (calls.length > most) {
      const refusal = refuse(calls)
      if (!refusal) response.destroy()
      else {
        const { status = 200, body: told } = refusal
        response.writeHead(status).end(typeof told === 'string' ? told : JSON.stringify(told))
      }
      return
    }
    const answers = calls.map(({ id, params }) => ({ jsonrpc: '2.0', id, result: `${params[0]}!` }))
    response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]))
  })
  stops.push(server.stop)
  return { url: server.url, sizes }
}

const ask = (url: string, count: number) =>
  askNode(
    url,
    Array.from({ length: count }, (_, index) => ({ method: 'eth_call', params: [`${index}`] })),
    AbortSignal.timeout(20_000),
  )

const answers = (count: number) => Array.from({ length: count }, (_, index) => ({ result: `${index}!` }))

/** How nodes and gateways refuse a batch as a whole, by the client and the file or issue that has the words. */
const WHOLE_REFUSALS: Record<string, Refusal> = {
  'geth rpc/handler.go': ([first]) => ({ body: [error(-32600, 'batch too large', first?.id)] }),
  'erigon rpc/server.go, erigontech/erigon#17245': (calls) => ({
    body: error(
      -32000,
      `batch limit 20 exceeded (can increase by --rpc.batch.limit). Requested batch of size: ${calls.length}`,
    ),
  }),
  'erigon, as of erigontech/erigon#7072': (calls) => ({
    body: error(-32000, `batch limit 20 exceeded: ${calls.length} requests given`),
  }),
  'erigon rpc/handler.go, erigontech/erigon#18260': (calls) => ({
    body: [
      error(
        -32600,
        `batch limit 20 exceeded (can increase by --rpc.batch.limit). Requested batch of size: ${calls.length}`,
        calls[0]?.id,
      ),
    ],
  }),
  'erigon, erigontech/erigon#18074: closes the connection': () => null,
  'blockscout/blockscout#8551: erigon with 413': () => ({ status: 413, body: '' }),
  'besu JsonRpcErrorType': () => ({ body: error(-32005, 'Number of requests exceeds max batch size') }),
  nethermind: () => ({ status: 503, body: error(-32005, 'Batch size limit exceeded') }),
  'jsonrpsee (reth), its requests': () => ({
    body: error(-32010, 'The batch request was too large', null, 'Exceeded max limit of 20'),
  }),
  'jsonrpsee (reth), its answer': () => ({ body: error(-32011, 'The batch response was too large') }),
  'jsonrpsee (reth), its body': () => ({ status: 413, body: error(-32007, 'Request is too big') }),
  'op-stack proxyd/rpc.go': () => ({
    status: 400,
    body: error(-32014, 'too many RPC calls in batch request'),
  }),
  'op-stack proxyd/rpc.go, its body': () => ({ status: 413, body: error(-32021, 'request body too large') }),
  'nginx, client_max_body_size': () => ({
    status: 413,
    body: '<html><head><title>413 Request Entity Too Large</title></head></html>',
  }),
  'a gateway without a word': () => ({ status: 400, body: '' }),
  'a gateway with a word of its own': () => ({ body: error(-32600, 'no more than a handful, please') }),
}

test.each(Object.entries(WHOLE_REFUSALS))(
  'a batch that is refused as a whole is split: %s',
  async (_, refuse) => {
    const node = await startNode(20, refuse)
    expect(await ask(node.url, 150)).toEqual(answers(150))
    // Refused once in each size, and remembered.
    node.sizes.length = 0
    expect(await ask(node.url, 45)).toEqual(answers(45))
    expect(Math.max(...node.sizes)).toBeLessThanOrEqual(20)
  },
)

test('a stated limit is used as it stands', async () => {
  const node = await startNode(20, WHOLE_REFUSALS['erigon, as of erigontech/erigon#7072'] as Refusal)
  await ask(node.url, 80)
  expect(node.sizes).toEqual([80, 20, 20, 20, 20])
})

test("no batch has more than a hundred calls, erigon's limit", async () => {
  const node = await startNode(1_000, () => null)
  expect(await ask(node.url, 250)).toEqual(answers(250))
  expect(node.sizes.toSorted((a, b) => b - a)).toEqual([100, 100, 50])
})

test('a node that takes no array gets its calls one by one', async () => {
  const node = await startNode(1, () => ({ body: error(-32600, 'batch not supported') }))
  expect(await ask(node.url, 5)).toEqual(answers(5))
  node.sizes.length = 0
  expect(await ask(node.url, 5)).toEqual(answers(5))
  expect(node.sizes).toEqual([1, 1, 1, 1, 1])
})

describe('no batch is split', () => {
  test.each<[string, Refusal]>([
    ['a rate limit', () => ({ status: 429, body: error(-32005, 'Too many requests') })],
    [
      'a rate limit under status 200',
      () => ({ body: error(-32005, 'daily request count exceeded, request rate limited') }),
    ],
    ['a plan', () => ({ body: error(-32005, 'Monthly capacity limit exceeded') })],
    ['a gateway without a node', () => ({ status: 502, body: 'bad gateway' })],
    ['a node under load', () => ({ status: 503, body: error(-32005, 'server overloaded, retry later') })],
    ['a missing key', () => ({ status: 401, body: error(-32000, 'unauthorized') })],
  ])('for %s', async (_, refuse) => {
    const node = await startNode(20, refuse)
    await expect(ask(node.url, 50)).rejects.toThrow(TransportError)
    expect(node.sizes).toEqual([50])
  })

  test('when the first of its calls fails alone as well', async () => {
    const node = await startNode(-1, () => ({ body: error(-32600, 'not today') }))
    await expect(ask(node.url, 50)).rejects.toThrow(TransportError)
    expect(node.sizes).toEqual([50, 1])
  })
})

test.each([
  ['geth node/config.go, batch-response-max-size', -32003, 'response too large'],
  ['nethermind', -32005, 'MaxBatchResponseBodySize of 32768KB exceeded'],
])(
  'calls that are cut off because the answer grew too large are asked again: %s',
  async (_, code, message) => {
    const server = await startRpcServer(({ body }, response) => {
      const calls = [JSON.parse(body) as Call | Call[]].flat()
      const told = calls.map(({ id, params }, place) =>
        place < 30 ? { jsonrpc: '2.0', id, result: `${params[0]}!` } : error(code, message, id),
      )
      response.end(JSON.stringify(calls.length === 1 ? told[0] : told))
    })
    stops.push(server.stop)
    expect(await ask(server.url, 75)).toEqual(answers(75))
  },
)

test('a contract that reverts with such words does not cause a second question', async () => {
  const server = await startRpcServer(({ body }, response) => {
    const calls = JSON.parse(body) as Call[]
    response.end(
      JSON.stringify(
        calls.map(({ id }) => error(3, 'execution reverted: response too large, batch limit 1 exceeded', id)),
      ),
    )
  })
  stops.push(server.stop)
  const outcomes = await ask(server.url, 3)
  expect(outcomes.every((outcome) => 'refusal' in outcome)).toBe(true)
  expect(server.asked).toHaveLength(1)
})
