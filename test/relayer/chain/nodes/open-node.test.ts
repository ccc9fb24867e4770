import { createPublicClient, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { classifySendError } from '../../../../relayer/chain/broadcast/classify-send-error.ts'
import { openNode } from '../../../../relayer/chain/nodes/open-node.ts'
import { forClient } from '../../../../relayer/shares/client.ts'
import { findFreePort } from '../../../harness/find-free-port.ts'
import { answerWith, startRpcServer, type Answering } from '../../../proving/rpc/json-rpc-server.ts'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

interface Call {
  id: number
  method: string
  params: unknown[]
}

const open = (url: string, timeoutMs?: number) =>
  createPublicClient({ cacheTime: 0, transport: openNode(url, timeoutMs === undefined ? {} : { timeoutMs }) })

async function serve(answering: Answering) {
  const server = await startRpcServer(answering)
  stops.push(server.stop)
  return { ...server, client: open(server.url) }
}

/** A single call comes without an array. */
const callsIn = (body: string) => [JSON.parse(body) as Call | Call[]].flat()

/** A node whose answers are computed from the calls of each batch. */
const serveBatches = (answer: (calls: readonly Call[]) => unknown) =>
  serve(({ body }, response) => void response.end(JSON.stringify(answer(callsIn(body)))))

/** The error that a promise is rejected with. */
const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => null,
    (error: unknown) => error,
  )

const send = { method: 'eth_sendRawTransaction' as const, params: ['0x02'] as [`0x${string}`] }

describe('batches', () => {
  test('collect all calls of one tick and give each its own answer in any order', async () => {
    const server = await serveBatches((calls) =>
      calls.map(({ id, params }) => ({ id, result: `${params[0] as string}00` })).toReversed(),
    )
    const addresses = ['0x1', '0x2', '0x3'] as const
    const ask = (address: string) =>
      server.client.request({ method: 'eth_getBalance', params: [address as '0x', 'latest'] })
    expect(await Promise.all(addresses.map(ask))).toEqual(['0x100', '0x200', '0x300'])
    expect(await ask('0x4')).toBe('0x400')
    expect(server.asked).toHaveLength(2)
    expect(server.connections()).toBe(1)
  })

  test('hold a question without parameters that an account began', async () => {
    const server = await serveBatches((calls) =>
      calls.map(({ id, method, params }) => ({ id, result: `${method} ${JSON.stringify(params)}` })),
    )
    const gasPrice = () => server.client.request({ method: 'eth_gasPrice' })
    expect(await forClient({ network: '192.0.2.1', account: 'one' }, gasPrice)).toBe('eth_gasPrice []')
  })

  test('hold no transaction, so that a node never gets two of them, or one with a question, at once', async () => {
    const server = await serve(({ body }, response) => void response.end(answerWith(body, '0x7')))
    const gasPrice = () => server.client.request({ method: 'eth_gasPrice' })
    await Promise.all([gasPrice(), server.client.request(send), gasPrice(), server.client.request(send)])
    const batches = server.asked.map(({ body }) => callsIn(body).map(({ method }) => method))
    expect(batches.toSorted((one, other) => other.length - one.length)).toEqual([
      ['eth_gasPrice', 'eth_gasPrice'],
      [send.method],
      [send.method],
    ])
  })

  test('hold at most a hundred calls, and a single call is sent without an array', async () => {
    const server = await serve(({ body }, response) => void response.end(answerWith(body, '0x7')))
    const asked = Array.from({ length: 101 }, () => server.client.request({ method: 'eth_gasPrice' }))
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['0x7']))
    const sizes = server.asked.map(({ body }) => callsIn(body).length)
    expect(new Set(sizes)).toEqual(new Set([100, 1]))
    expect(server.asked.filter(({ body }) => !body.startsWith('['))).toHaveLength(1)
  })

  test('fail only the calls that are refused or cannot be encoded', async () => {
    const server = await serveBatches((calls) =>
      calls.map(({ id, method }) =>
        method === 'eth_chainId'
          ? { id, error: { code: -32601, message: 'no such method', data: '0x1234' } }
          : { id, result: '0x7' },
      ),
    )
    const [refused, unwritable, answered] = await Promise.all([
      failureOf(server.client.getChainId()),
      failureOf(server.client.request({ method: 'eth_getBalance', params: [7n as never, 'latest'] })),
      server.client.getBlockNumber(),
    ])
    expect(answered).toBe(7n)
    expect(unwritable).toMatchObject({ cause: expect.any(TypeError) })
    const cause = (refused as HttpRequestError).walk((each) => each instanceof RpcRequestError)
    expect(cause).toMatchObject({ code: -32601, details: 'no such method', data: '0x1234' })
    expect(server.asked).toHaveLength(1)
  })

  test('fail a call that the answer leaves out', async () => {
    const server = await serveBatches((calls) => calls.slice(1).map(({ id }) => ({ id, result: '0x7' })))
    const asked = [failureOf(server.client.getChainId()), server.client.getBlockNumber()]
    const [left, answered] = await Promise.all(asked)
    expect(left).toBeInstanceOf(HttpRequestError)
    expect(answered).toBe(7n)
  })
})

describe('a missing answer', () => {
  const refusal = { code: -32000, message: 'too many requests' }
  test.each([
    [429, JSON.stringify({ jsonrpc: '2.0', id: null, error: refusal })],
    [500, JSON.stringify([{ jsonrpc: '2.0', id: 1, error: refusal }])],
    [413, 'too large'],
    [502, ''],
    [307, ''],
    [200, JSON.stringify({ jsonrpc: '2.0', id: null, error: refusal })],
    [200, '<html>'],
    [200, ''],
  ])('is assumed for status %i with %s', async (status, text) => {
    const server = await serve((_asked, response) => void response.writeHead(status).end(text))
    const error = await failureOf(server.client.request(send))
    expect(error).toBeInstanceOf(HttpRequestError)
    if (status >= 400) expect(error).toMatchObject({ status })
    expect(classifySendError(error).status).toBe('unclear')
    expect(server.asked).toHaveLength(1)
  })

  test('leads to the requested pause, up to ten seconds', async () => {
    const pauses = ['3', '86400', 'Wed, 21 Oct 2026 07:28:00 GMT']
    const server = await serve((_asked, response) => {
      response.writeHead(429, { 'retry-after': pauses[server.asked.length - 1] }).end()
    })
    const heard = []
    for (const _ of pauses) {
      const error = (await failureOf(server.client.getChainId())) as HttpRequestError
      heard.push(error.headers?.get('Retry-After'))
    }
    expect(heard).toEqual(['3', '10', undefined])
  })

  test('ends in a timeout', async () => {
    const server = await serve(({ body }, response) => {
      if (body.includes('eth_chainId')) response.write('[')
    })
    const client = open(server.url, 50)
    for (const asked of [client.getBlockNumber(), client.getChainId()])
      expect(await failureOf(asked)).toBeInstanceOf(TimeoutError)
  })

  test('delays one request, and the node is used again once it answers', async () => {
    let hangs = true
    const server = await serve(({ body }, response) => {
      if (!hangs) response.end(answerWith(body, '0x7'))
    })
    const client = createPublicClient({ cacheTime: 0, transport: openNode(server.url, { timeoutMs: 200 }) })
    const block = () => client.request({ method: 'eth_blockNumber' })
    expect(await failureOf(block())).toBeInstanceOf(TimeoutError)
    for (let index = 0; index < 20; index += 1) {
      const error = await failureOf(client.request(send))
      expect(error).toBeInstanceOf(TimeoutError)
      expect(classifySendError(error).status).toBe('unclear')
    }
    expect(server.asked.filter(({ body }) => body.includes(send.method))).toEqual([])
    hangs = false
    await expect.poll(() => block().catch(() => null)).toBe('0x7')
    expect(await client.request(send)).toBe('0x7')
  })

  test('is not assumed of a slow node that answers other requests', async () => {
    const server = await serve(({ body }, response) => {
      if (!body.includes('eth_getLogs')) response.end(answerWith(body, '0x7'))
    })
    const client = createPublicClient({ cacheTime: 0, transport: openNode(server.url, { timeoutMs: 200 }) })
    const slow = failureOf(client.request({ method: 'eth_getLogs', params: [{}] }))
    await new Promise(setImmediate)
    await client.request({ method: 'eth_blockNumber' })
    expect(await slow).toBeInstanceOf(TimeoutError)
    expect(await client.request(send)).toBe('0x7')
  })

  test('of a lost connection is ambiguous, so a transaction is not sent again', async () => {
    const server = await serve((_asked, response) => void response.destroy())
    const error = await failureOf(server.client.request(send))
    expect(error).toBeInstanceOf(HttpRequestError)
    expect(classifySendError(error).status).toBe('unclear')
    expect(server.asked).toHaveLength(1)
  })

  test('a refused connection means that nothing arrived', async () => {
    const error = await failureOf(open(`http://127.0.0.1:${await findFreePort()}`).request(send))
    expect(error).toBeInstanceOf(HttpRequestError)
    expect(classifySendError(error).status).toBe('unreachable')
  })

  test('is reported without the credentials of the URL', async () => {
    const server = await serveBatches((calls) =>
      calls.map(({ id, method }) => (method === 'net_version' ? { id, error: refusal } : { id: -1 })),
    )
    const client = open(server.url.replace('://', '://user:secret@'), 50)
    for (const asked of [client.request({ method: 'net_version' }), client.getBlockNumber()]) {
      const error = await failureOf(asked)
      expect(error).toBeInstanceOf(Error)
      expect((error as Error).message).not.toContain('secret')
    }
    expect(server.asked[0]?.headers.authorization).toMatch(/^Basic /)
  })
})
