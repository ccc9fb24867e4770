import { expect, it, onTestFinished, vi } from 'vitest'
import { call, post } from '../../harness/call.ts'
import { openGateway } from '../open-gateway.ts'
import { openConnection, rawPost, type RawConnection } from '../../harness/raw-connection.ts'
import { sampleQuoteBody } from '../sample-withdrawal.ts'

const GOOD = rawPost('/relayer/quote', JSON.stringify(sampleQuoteBody))

it('a 10 MB body is answered with 413, and the connection stays usable', async () => {
  const { url } = await openGateway()
  const connection = await openConnection(url)
  connection.send(rawPost('/relayer/request', `{"x":"${'a'.repeat(10_000_000)}"}`))
  const refused = await connection.answer()
  expect(refused.status).toBe(413)
  expect(JSON.parse(refused.body)).toEqual({
    error: 'Payload too large',
    message: 'A request body may have at most 16384 bytes',
  })
  connection.send(GOOD)
  expect((await connection.answer()).status).toBe(200)
  connection.socket.destroy()
})

it('a body that is too large to discard closes its connection', async () => {
  const { url } = await openGateway({ drainLimit: 100_000 })
  const connection = await openConnection(url)
  connection.send('POST /relayer/quote HTTP/1.1\r\nhost: x\r\ncontent-length: 100001\r\n\r\n')
  const refused = await connection.answer()
  expect(refused.status).toBe(413)
  expect(refused.head).toMatch(/connection: close/i)
  await connection.closed()
})

it('a connection stays usable after every malformed body', async () => {
  const { url } = await openGateway()
  const connection = await openConnection(url)
  for (const body of [
    '{',
    '',
    'null',
    '{"chainId":1',
    '\u0000',
    '[[[[',
    '{"__proto__":{"x":1}}',
    '"\\ud800"',
  ]) {
    for (const path of ['/relayer/quote', '/relayer/request']) {
      connection.send(rawPost(path, body))
      const answer = await connection.answer()
      expect([body, answer.status]).toEqual([body, 400])
      expect(JSON.parse(answer.body)).toMatchObject({ error: 'Bad request', code: 'BAD_REQUEST' })
    }
  }
  connection.send(GOOD)
  expect((await connection.answer()).status).toBe(200)
  connection.socket.destroy()
})

/** A request whose body never completes. */
const unfinished = (sent: number) =>
  `POST /relayer/quote HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n${'x'.repeat(sent)}`

it('slow bodies do not delay other clients', async () => {
  const { url } = await openGateway({ maxInFlight: 1 })
  const slow = await Promise.all([1, 2, 3].map(() => openConnection(url)))
  for (const connection of slow) connection.send(unfinished(1))
  const connection = await openConnection(url)
  for (let request = 0; request < 5; request++) {
    connection.send(GOOD)
    expect((await connection.answer()).status).toBe(200)
  }
  for (const { socket } of [...slow, connection]) socket.destroy()
})

it('a connection stays usable after a body that no route reads', async () => {
  const { url } = await openGateway()
  const connection = await openConnection(url)
  connection.send(rawPost('/nowhere', 'x'.repeat(300_000)))
  expect((await connection.answer()).status).toBe(404)
  connection.send(GOOD)
  expect((await connection.answer()).status).toBe(200)
  connection.socket.destroy()
})

it('a chunked body is read', async () => {
  const { url } = await openGateway()
  const connection = await openConnection(url)
  const body = JSON.stringify(sampleQuoteBody)
  const chunks = [body.slice(0, 9), body.slice(9)].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
  connection.send(
    `POST /relayer/quote HTTP/1.1\r\nhost: x\r\ncontent-type: application/json; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`,
  )
  expect((await connection.answer()).status).toBe(200)
  connection.socket.destroy()
})

it('another content type is answered with 400', async () => {
  const { url } = await openGateway()
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
    const answer = await post(`${url}/relayer/quote`, sampleQuoteBody, { 'content-type': type })
    expect(answer.status).toBe(400)
    expect(answer.json?.['message']).toContain('application/json')
  }
})

it('bytes that are not HTTP are answered in the error format, and the connection closes', async () => {
  const { url } = await openGateway()
  const connection = await openConnection(url)
  connection.send('HELO there\r\n\r\n')
  const answer = await connection.answer()
  expect(answer.status).toBe(400)
  expect(JSON.parse(answer.body)).toMatchObject({ error: 'Bad request', code: 'BAD_REQUEST' })
  await connection.closed()
})

it('headers that are too large are answered with 431', async () => {
  const { url } = await openGateway()
  const connection = await openConnection(url)
  connection.send(`GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(20_000)}\r\n\r\n`)
  expect((await connection.answer()).status).toBe(431)
  await connection.closed()
})

it('a request whose headers never arrive is ended', async () => {
  const { url } = await openGateway({ headersTimeoutMs: 1_000, requestTimeoutMs: 1_000 })
  const connection = await openConnection(url)
  connection.send('POST /relayer/quote HTTP/1.1\r\nhost: x\r\n')
  expect((await connection.answer()).status).toBe(408)
  await connection.closed()
})

it('members of the prototype of Object are not accepted as input', async () => {
  const { url } = await openGateway()
  const answer = await call(`${url}/relayer/details?__proto__=1&constructor=2&chainId=1`)
  expect(answer.json?.['message']).toBe('query.assetAddress: is required (string)')
})

/** Whether a connection is accepted and served. */
async function isServed(url: string, connections: RawConnection[]): Promise<boolean> {
  const connection = await openConnection(url)
  connections.push(connection)
  connection.send('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n')
  return connection.answer().then(
    ({ status }) => status === 200,
    () => false,
  )
}

it('one client cannot take all connections, unless it is a trusted proxy', async () => {
  const connections: RawConnection[] = []
  const { url } = await openGateway({ maxConnectionsPerClient: 2 })
  const served = [await isServed(url, connections), await isServed(url, connections)]
  expect([...served, await isServed(url, connections)]).toEqual([true, true, false])
  connections[0]!.socket.destroy()
  await expect.poll(() => isServed(url, connections)).toBe(true)
  const proxied = await openGateway({ maxConnectionsPerClient: 2, trustedProxies: 1 })
  for (let at = 0; at < 3; at++) expect(await isServed(proxied.url, connections)).toBe(true)
  for (const { socket } of connections) socket.destroy()
})

it('one client behind a trusted proxy cannot take all streams, and leaves its places', async () => {
  const { url } = await openGateway({ maxConnectionsPerClient: 2, trustedProxies: 1 })
  const query = 'subscription { relayerRequestProgress(nullifierHash: "12") { status } }'
  const open = async (client: string) => {
    const leave = new AbortController()
    onTestFinished(() => leave.abort())
    const headers = { accept: 'text/event-stream', 'x-forwarded-for': client }
    const path = `/graphql?query=${encodeURIComponent(query)}`
    const { status } = await fetch(url + path, { headers, signal: leave.signal })
    return { status, leave: () => leave.abort() }
  }
  const first = await open('198.51.100.1')
  expect([first.status, (await open('198.51.100.1')).status]).toEqual([200, 200])
  expect((await open('198.51.100.1')).status).toBe(503)
  expect((await open('198.51.100.2')).status).toBe(200)
  first.leave()
  await expect.poll(async () => (await open('198.51.100.1')).status).toBe(200)
})

it('a request to upgrade that is sent behind another one is answered after it, as a plain one', async () => {
  const { url, withdrawals } = await openGateway()
  let release = () => {}
  const before = vi.fn(() => new Promise<void>((resolve) => (release = resolve)))
  withdrawals.before = before
  const { send, answer, socket } = await openConnection(url)
  onTestFinished(() => void socket.destroy())
  const search = new URLSearchParams({ chainId: '1', assetAddress: `0x${'ee'.repeat(20)}` })
  const upgrade =
    'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n' +
    `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}\r\n`
  send(GET(`/relayer/details?${search}`) + GET('/graphql', upgrade))
  const first = answer()
  await vi.waitFor(() => expect(before).toHaveBeenCalled())
  release()
  expect((await first).body).toContain('feeBPS')
  expect((await answer()).head).not.toMatch(/upgrade/i)
})

const GET = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`

it('pipelined requests are handled one at a time and answered in order', async () => {
  const { url, withdrawals } = await openGateway()
  let inHand = 0
  let most = 0
  withdrawals.before = async () => {
    inHand += 1
    most = Math.max(most, inHand)
    await new Promise((resolve) => setTimeout(resolve, 5))
    inHand -= 1
  }
  const connection = await openConnection(url)
  connection.send((GOOD + GET('/nowhere')).repeat(10))
  const statuses: number[] = []
  for (let at = 0; at < 20; at += 1) statuses.push((await connection.answer()).status)
  expect(statuses).toEqual(Array.from({ length: 10 }, () => [200, 404]).flat())
  expect(most).toBe(1)
  connection.socket.destroy()
})

it('a connection that pipelines too many requests is closed', async () => {
  const { url } = await openGateway({ maxPipelined: 10 })
  const connection = await openConnection(url)
  connection.send(GET('/health/live').repeat(100))
  await connection.closed()
  const other = await openConnection(url)
  other.send(GET('/health/live').repeat(5))
  for (let at = 0; at < 5; at += 1) expect((await other.answer()).status).toBe(200)
  other.socket.destroy()
})

it('pipelined requests may have as many bytes of headers together as one request', async () => {
  const { url, withdrawals } = await openGateway()
  const held = Promise.withResolvers<void>()
  withdrawals.before = () => held.promise
  const connection = await openConnection(url)
  const large = GET('/health/live', `x-long: ${'a'.repeat(9_000)}\r\n`)
  connection.send(GOOD + large.repeat(2))
  await connection.closed()
  const other = await openConnection(url)
  other.send(GOOD + large)
  held.resolve()
  expect([(await other.answer()).status, (await other.answer()).status]).toEqual([200, 200])
  other.socket.destroy()
})

it('a page is in memory once, however many clients do not read it', async () => {
  const { url } = await openGateway()
  const held = () => process.memoryUsage().external
  const warm = await openConnection(url)
  for (const path of ['/docs/scalar.js', '/graphql']) {
    warm.send(GET(path, 'accept: text/html\r\n'))
    expect((await warm.answer()).status).toBe(200)
  }
  warm.socket.destroy()
  const before = held()
  const readers = await Promise.all(Array.from({ length: 40 }, () => openConnection(url)))
  for (const { socket, send } of readers) {
    socket.pause()
    // Ten of 5 MB and one of 9 MB each: 2 GB in all.
    send(GET('/docs/scalar.js').repeat(10) + GET('/graphql', 'accept: text/html\r\n'))
  }
  // Time for all of them to start.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect((held() - before) / 2 ** 20).toBeLessThan(100)
  for (const { socket } of readers) socket.destroy()
})

it('a client that does not read its answers is disconnected', async () => {
  const { url } = await openGateway({ writeTimeoutMs: 1_000 })
  const [reader, idle] = [await openConnection(url), await openConnection(url)]
  idle.send(GET('/health/live'))
  expect((await idle.answer()).status).toBe(200)
  reader.socket.pause()
  // More than the operating system's buffers hold.
  reader.send(GET('/docs/scalar.js').repeat(20))
  await expect.poll(() => isOpen(reader), { interval: 500 }).toBe(false)
  // A connection without a pending request may stay idle.
  idle.send(GET('/health/live'))
  expect((await idle.answer()).status).toBe(200)
  for (const { socket } of [reader, idle]) socket.destroy()
})

it('a page is sent compressed to clients that accept it', async () => {
  const { url } = await openGateway()
  for (const path of ['/docs/scalar.js', '/openapi.json', '/docs/reference.json']) {
    const plain = await fetch(url + path, { headers: { 'accept-encoding': 'identity' } })
    const zipped = await fetch(url + path, { headers: { 'accept-encoding': 'gzip, br' } })
    expect([plain.headers.get('content-encoding'), zipped.headers.get('content-encoding')]).toEqual([
      null,
      'gzip',
    ])
    expect(zipped.headers.get('vary')).toContain('accept-encoding')
    expect(await zipped.text()).toBe(await plain.text())
  }
})

it('while most connections are in use, answers announce a shorter keep-alive', async () => {
  const { url } = await openGateway({ maxConnections: 8 })
  const hasty = await openGateway({ maxConnections: 8, busyKeepAliveMs: 0 })
  for (const [door, announced] of [
    [url, /^keep-alive: timeout=5$/im],
    [hasty.url, /^connection: close$/im],
  ] as const) {
    const early = await openConnection(door)
    early.send(GET('/health/live'))
    expect((await early.answer()).head).toMatch(/^keep-alive: timeout=65$/im)
    const others = await Promise.all(Array.from({ length: 6 }, () => openConnection(door)))
    await expect
      .poll(() => {
        early.send(GET('/health/live'))
        return early.answer().then(({ head }) => head)
      })
      .toMatch(announced)
    if (door === hasty.url) await early.closed()
    for (const { socket } of [early, ...others]) socket.destroy()
  }
})

it('a request that has arrived when the service begins to close is answered', async () => {
  const { url, close } = await openGateway()
  const connection = await openConnection(url)
  connection.send(GET('/health/live'))
  expect((await connection.answer()).status).toBe(200)
  connection.send(GET('/health/live'))
  const closed = close(10_000)
  const { status, head } = await connection.answer()
  expect(status).toBe(200)
  expect(head).toMatch(/^connection: close$/im)
  await closed
})

it('a connection beyond those of its client is refused with an answer', async () => {
  const { url } = await openGateway({ maxConnectionsPerClient: 1 })
  const [first, second] = [await openConnection(url), await openConnection(url)]
  second.send(GET('/health/live'))
  const { status, head, body } = await second.answer()
  expect({ status, code: (JSON.parse(body) as { code: string }).code }).toEqual({
    status: 503,
    code: 'SERVER_BUSY',
  })
  expect(head).toMatch(/^connection: close$/im)
  await second.closed()
  first.send(GET('/health/live'))
  expect((await first.answer()).status).toBe(200)
  first.socket.destroy()
})

/** Whether the service still holds the connection of a client that does not read and so does not notice its end. */
function isOpen({ socket }: RawConnection): boolean {
  if (!socket.destroyed) socket.write(' ')
  return !socket.destroyed
}
