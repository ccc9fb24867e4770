import { execFile } from 'node:child_process'
import { networkInterfaces } from 'node:os'
import { promisify } from 'node:util'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { askNode, RpcRefusal, TransportError } from '../../../proving/rpc/json-rpc.ts'
import { findFreePort } from '../../harness/find-free-port.ts'
import { answerWith, startRpcServer, type Answering } from './json-rpc-server.ts'

const QUESTION = { method: 'eth_blockNumber', params: [] }
const SENDING = { method: 'eth_sendRawTransaction', params: ['0x02'] }

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function serve(answering: Answering, host?: string) {
  const server = await startRpcServer(answering, host)
  stops.push(server.stop)
  return server
}

const LOOPBACK = networkInterfaces()['lo']?.some(({ address }) => address === '::1') ? '::1' : '127.0.0.1'

const never = () => new AbortController().signal
const ask = (url: string, signal = never(), maxBytes?: number) => askNode(url, [QUESTION], signal, maxBytes)
const answerTwo: Answering = ({ body }, response) => void response.end(answerWith(body, '0x2'))

describe('connections', () => {
  test('are reused by the next request', async () => {
    const server = await serve(answerTwo)
    for (let count = 0; count < 10; count += 1) expect(await ask(server.url)).toEqual([{ result: '0x2' }])
    // A connection that has just answered may count as busy for a moment.
    expect(server.connections()).toBeLessThanOrEqual(2)
  })

  test('are at most 64, and a request that is aborted while it waits for one is never sent', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: full, resolve: fill } = Promise.withResolvers<void>()
    const server = await serve(async (asked, response) => {
      if (server.asked.length === 64) fill()
      await released
      await answerTwo(asked, response)
    })
    const asked = Array.from({ length: 64 }, () => ask(server.url))
    await full
    const controller = new AbortController()
    const late = ask(server.url, controller.signal)
    const patient = ask(server.url)
    controller.abort()
    await expect(late).rejects.toThrow(TransportError)
    release()
    for (const answer of await Promise.all([...asked, patient])) expect(answer).toEqual([{ result: '0x2' }])
    expect(server.asked).toHaveLength(65)
    expect(server.connections()).toBe(64)
  })

  /** A node that has closed all idle connections, which the client only notices at its next request. */
  async function serveForgetful() {
    let forgets = false
    const server = await serve(({ body, earlier }, response) => {
      if (forgets && earlier > 0) response.destroy()
      else response.end(answerWith(body, '0x2'))
    })
    for (let count = 0; count < 5; count += 1) await ask(server.url)
    await Promise.all(Array.from({ length: 5 }, () => ask(server.url)))
    forgets = true
    return { url: server.url, asked: () => server.asked.slice(10) }
  }

  test('that the node closed are replaced, and the request is sent again', async () => {
    const server = await serveForgetful()
    expect(await ask(server.url)).toEqual([{ result: '0x2' }])
    const [first, second, third] = server.asked()
    expect(first?.earlier).toBeGreaterThan(0)
    expect(second?.earlier).toBe(0)
    expect(third).toBeUndefined()
  })

  test('that fail for one request are tried twice, not more', async () => {
    const server = await serve((_asked, response) => void response.destroy())
    await expect(ask(server.url)).rejects.toThrow(TransportError)
    expect(server.asked).toHaveLength(2)
  })

  test.each([[[SENDING]], [[QUESTION, SENDING]]])(
    'are tried once for a request that must not arrive twice: %o',
    async (requests) => {
      const server = await serveForgetful()
      await expect(askNode(server.url, requests, never())).rejects.toThrow(TransportError)
      expect(server.asked()).toHaveLength(1)
    },
  )

  test('that fail report the cause', async () => {
    const asked = ask(`http://127.0.0.1:${await findFreePort()}`)
    await expect(asked).rejects.toMatchObject({ name: 'TransportError', cause: { code: 'ECONNREFUSED' } })
  })

  test('that stay open do not keep the process alive, nor change global fetch', async () => {
    const server = await serve(answerTwo)
    const home = new URL('../../../proving/rpc/json-rpc.ts', import.meta.url).href
    const script = `
      const { askNode } = await import('${home}')
      await askNode('${server.url}', [{ method: 'eth_blockNumber', params: [] }], AbortSignal.timeout(60000))
      await new Promise(setImmediate)
      const keeping = process.getActiveResourcesInfo().filter((name) => /TCP|Timeout/.test(name))
      const changed = Object.getOwnPropertySymbols(globalThis).map(String).filter((name) => /undici/.test(name))
      process.stdout.write(JSON.stringify({ keeping, changed }))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    expect(JSON.parse(stdout)).toEqual({ keeping: [], changed: [] })
    expect(server.connections()).toBe(1)
  })

  test('use the path, the credentials and, where there is one, the IPv6 address of the URL', async () => {
    const server = await serve(answerTwo, LOOPBACK)
    const url = server.url.replace('://', '://us%40er:p%3Ass@')
    expect(await ask(`${url}/v3/key?a=b`)).toEqual([{ result: '0x2' }])
    expect(server.asked[0]).toMatchObject({
      path: '/v3/key?a=b',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from('us@er:p:ss').toString('base64')}`,
      },
    })
    await ask(server.url)
    expect(server.asked[1]?.headers).not.toHaveProperty('authorization')
  })
})

describe('the time limit', () => {
  test('sends nothing when the signal is aborted already', async () => {
    const server = await serve(answerTwo)
    await expect(ask(server.url, AbortSignal.abort())).rejects.toThrow(TransportError)
    expect(server.connections()).toBe(0)
  })

  test.each<[string, Answering]>([
    ['says nothing', () => undefined],
    ['begins and stops', (_asked, response) => void response.write('[')],
  ])('a node that %s is left when the signal aborts', async (_name, answering) => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
    const { promise: closed, resolve: close } = Promise.withResolvers<void>()
    const server = await serve(async (asked, response) => {
      response.on('close', close)
      await answering(asked, response)
      arrive()
    })
    const controller = new AbortController()
    const asked = ask(server.url, controller.signal)
    void arrived.then(() => controller.abort(new Error('enough')))
    await expect(asked).rejects.toMatchObject({ name: 'TransportError', cause: { message: 'enough' } })
    await closed
    expect(server.asked).toHaveLength(1)
  })

  test('ends a request although the node keeps sending bytes', async () => {
    const server = await serve((_asked, response) => {
      const dripping = setInterval(() => response.write(' '), 5)
      response.on('close', () => clearInterval(dripping))
    })
    const asked = ask(server.url, AbortSignal.timeout(100))
    await expect(asked).rejects.toMatchObject({ name: 'TransportError', cause: { name: 'TimeoutError' } })
  })
})

describe('an answer', () => {
  test('is read up to a limit, beyond which its connection is closed', async () => {
    const exact = await serve(({ body }, response) => void response.end(answerWith(body, '0x2').padEnd(1000)))
    expect(await ask(exact.url, never(), 1000)).toEqual([{ result: '0x2' }])
    await expect(ask(exact.url, never(), 999)).rejects.toThrow('the answer is larger than 999 bytes')

    const { promise: closed, resolve: close } = Promise.withResolvers<void>()
    const endless = await serve((_asked, response) => {
      const write = () => void (response.write('a'.repeat(10_000)) && setImmediate(write))
      response.on('drain', write).on('close', close)
      write()
    })
    await expect(ask(endless.url, never(), 100_000)).rejects.toThrow(TransportError)
    await closed
    expect(endless.asked).toHaveLength(1)
  })

  test.each<[string, (text: string) => Buffer]>([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('are unpacked where the node packs them unasked: %s', async (encoding, pack) => {
    const server = await serve(({ body }, response) => {
      response.setHeader('content-encoding', encoding)
      response.end(pack(answerWith(body, '0x2').padEnd(1000)))
    })
    expect(await ask(server.url)).toEqual([{ result: '0x2' }])
    expect(server.asked[0]?.headers['accept-encoding']).toBe('identity')
    await expect(ask(server.url, never(), 999)).rejects.toThrow('the answer is larger than 999 bytes')
  })

  test('that may be very large is requested compressed', async () => {
    const server = await serve(({ body }, response) => {
      response.setHeader('content-encoding', 'gzip')
      response.end(gzipSync(answerWith(body, '0x2')))
    })
    expect(await ask(server.url, never(), 64 * 1024 * 1024)).toEqual([{ result: '0x2' }])
    expect(server.asked[0]?.headers['accept-encoding']).toBe('gzip')
  })

  test.each(['zstd', 'gzip, gzip', 'gzip'])(
    'in an unknown compression counts as none: %s',
    async (encoding) => {
      const server = await serve(({ body }, response) => {
        response.setHeader('content-encoding', encoding)
        response.end(answerWith(body, '0x2'))
      })
      await expect(ask(server.url)).rejects.toThrow(TransportError)
    },
  )

  test.each([301, 302, 303, 307, 308])(
    'that is a redirect (%i) counts as none and is not followed',
    async (status) => {
      const server = await serve(({ body }, response) => {
        response.writeHead(status, { location: '/elsewhere' })
        response.end(answerWith(body, '0x2'))
      })
      await expect(ask(server.url)).rejects.toThrow(TransportError)
      expect(server.asked.map(({ path }) => path)).toEqual(['/'])
    },
  )

  test.each([400, 429, 500, 503])('with status %i and JSON-RPC is used', async (status) => {
    const error = { code: -32005, message: 'slow down', data: { per: 'second' } }
    const server = await serve((_asked, response) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, error }))
    })
    const [answer] = await ask(server.url)
    expect(answer).toEqual({ refusal: expect.any(RpcRefusal) })
    expect(answer).toMatchObject({ refusal: error })
  })

  test.each([
    [429, 'slow down'],
    [500, '<html>'],
    [502, ''],
    [200, ''],
    [200, '{"id":0'],
    [200, '{"error":{"code":-32000,"message":"of no request"}}'],
    [204, ''],
  ])('with status %i and "%s" counts as none', async (status, text) => {
    const server = await serve((_asked, response) => void response.writeHead(status).end(text))
    await expect(ask(server.url)).rejects.toThrow(TransportError)
  })

  test('that breaks off counts as none', async () => {
    const server = await serve(({ body }, response) => {
      const text = answerWith(body, '0x2')
      response.writeHead(200, { 'content-length': text.length + 1 })
      response.write(text, () => response.destroy())
    })
    await expect(ask(server.url)).rejects.toThrow(TransportError)
    expect(server.asked).toHaveLength(1)
  })
})
