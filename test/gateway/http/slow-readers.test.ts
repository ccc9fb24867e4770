import { getIntrospectionQuery } from 'graphql'
import { expect, it } from 'vitest'
import { createUnwrittenBytes } from '../../../gateway/limits/unwritten-bytes.ts'
import { call, post } from '../../harness/call.ts'
import { openConnection, rawPost } from '../../harness/raw-connection.ts'
import { openGateway } from '../open-gateway.ts'

/** An answer of nearly a megabyte, which each client gets a copy of. */
const QUESTION = JSON.stringify({ query: getIntrospectionQuery() })

/** With buffers of up to ten megabytes for a connection. */
const UNREAD = 15

const from = (address: string) => `x-forwarded-for: ${address}\r\n`

/** Asks for long answers on a connection of its own, more than buffers of the operating system take, and reads nothing. */
async function askUnread(url: string, address: string) {
  const { socket, send } = await openConnection(url)
  socket.pause()
  send(rawPost('/graphql', QUESTION, from(address)).repeat(UNREAD))
  return socket
}

async function readFigure(url: string, name: string): Promise<number> {
  const { text } = await call(`${url}/metrics`)
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1])
}

const ask = (url: string, address: string) =>
  post(`${url}/graphql`, { query: '{ supportedChains { name } }' }, { 'x-forwarded-for': address })

it('a client that has not read its share gets no further answers until it has, and others do', async () => {
  const share = 100_000
  const { url } = await openGateway({
    trustedProxies: 1,
    figuresMaxAgeMs: 0,
    maxUnwrittenPerClient: share,
    graphql: { pointsPerMinuteOfNetwork: 10_000_000 },
  })
  const sockets: Awaited<ReturnType<typeof askUnread>>[] = []
  // The answer that does not fit into the buffers may lack its last bytes only.
  await expect
    .poll(async () => {
      sockets.push(await askUnread(url, '198.51.100.1'))
      return readFigure(url, 'http_unwritten_bytes')
    })
    .toBeGreaterThan(share)
  const refused = await ask(url, '198.51.100.1')
  expect(refused).toMatchObject({ status: 503, json: { errors: [{ extensions: { code: 'SERVER_BUSY' } }] } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask(url, '198.51.100.2')).status).toBe(200)
  for (const socket of sockets) socket.resume()
  await expect.poll(() => readFigure(url, 'http_unwritten_bytes')).toBe(0)
  expect((await ask(url, '198.51.100.1')).status).toBe(200)
  for (const socket of sockets) socket.destroy()
})

it('a client that reads an answer more slowly than the least rate is disconnected', async () => {
  const { url } = await openGateway({ writeTimeoutMs: 1_000, leastBytesPerSecond: 100_000_000 })
  const reader = await openConnection(url)
  let taken = 0
  reader.socket.on('data', (chunk: string) => {
    taken += chunk.length
    reader.socket.pause()
    setTimeout(() => reader.socket.resume(), 10)
  })
  const asked = 60
  reader.send('GET /docs/scalar.js HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(asked))
  await reader.closed()
  const { text } = await call(`${url}/docs/scalar.js`)
  expect(taken).toBeGreaterThan(text.length)
  expect(taken).toBeLessThan(text.length * asked)
})

it('a thousand slow clients leave no more unwritten than is allowed, and a client with nothing to read is served', () => {
  const unwritten = createUnwrittenBytes(1_000, 100)
  let destroyed = 0
  const response = { destroy: () => (destroyed += 1) } as never
  for (let client = 0; client < 1_000; client += 1) {
    for (let answer = 0; answer < 5; answer += 1)
      try {
        unwritten.owe(`client ${client}`, 60, response)
      } catch {
        expect(answer).toBe(2)
        break
      }
    expect(unwritten.total()).toBeLessThanOrEqual(1_000)
  }
  expect(destroyed).toBe(unwritten.ended())
  expect(() => unwritten.owe('honest', 60, response)).not.toThrow()
})
