import { once } from 'node:events'
import { getIntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { NATIVE_ASSET } from '../../../relayer/chain/nodes/config.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { openInstance } from '../../relayer/identity/open-instance.ts'
import { createWallet } from '../../relayer/identity/wallet.ts'
import { openGateway } from '../open-gateway.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const MEGABYTE = 1_000_000
/** More than the buffers of the operating system take. */
const MANY = 40

/** A gateway, a token for it, and sockets to it. */
async function open(config: Record<string, unknown> = {}) {
  const instance = await openInstance(database)
  const authorization = `Bearer ${await instance.signIn(createWallet())}`
  const authenticate = vi.fn(instance.identity.authenticate)
  const { url, log, withdrawals } = await openGateway(config, {
    identity: { ...instance.identity, authenticate },
  })

  async function connect() {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
    onTestFinished(() => socket.terminate())
    socket.on('error', () => {})
    await once(socket, 'open')
    const send = (message: object) => socket.send(JSON.stringify(message))
    const init = () => send({ type: 'connection_init', payload: { authorization } })
    const next = async () => JSON.parse(String((await once(socket, 'message'))[0]))
    const enter = async () => {
      init()
      expect(await next()).toMatchObject({ type: 'connection_ack' })
    }
    return { socket, send, init, enter, next }
  }
  return { connect, authenticate, log, withdrawals }
}

type Client = Awaited<ReturnType<Awaited<ReturnType<typeof open>>['connect']>>

/** Resolves when the service has ended the socket of a client that does not read. */
async function isEnded({ socket }: Client, log: readonly Record<string, unknown>[]): Promise<void> {
  await expect
    .poll(() => {
      if (socket.readyState === WebSocket.OPEN) socket.ping()
      return socket.readyState
    })
    .toBe(WebSocket.CLOSED)
  expect(log.map(({ msg }) => msg)).toContain('a socket ended: its client has not read its share')
}

it('an operation that hangs ends with an error, and its socket stays open', async () => {
  const { connect, withdrawals } = await open({ answerWithinMs: 1_000 })
  const gate = Promise.withResolvers<void>()
  onTestFinished(() => gate.resolve())
  withdrawals.before = () => gate.promise
  const client = await connect()
  await client.enter()
  const query = `{ relayerDetails(chainId: 1, assetAddress: "${NATIVE_ASSET}") { feeBPS } }`
  client.send({ id: 'one', type: 'subscribe', payload: { query } })
  expect(await client.next()).toMatchObject({
    id: 'one',
    payload: { errors: [{ extensions: { code: 'ANSWER_LATE', status: 503 } }] },
  })
  client.send({ id: 'two', type: 'subscribe', payload: { query: '{ __typename }' } })
  let message = await client.next()
  while (message.id === 'one') message = await client.next()
  expect(message).toMatchObject({ id: 'two', type: 'next' })
})

/** A share that each of the clients below exceeds; the watch over slow readers would come much later. */
const SHARE = { maxUnwrittenPerClient: 3 * MEGABYTE, writeTimeoutMs: 3_600_000 }

it('a client that asks on and reads nothing loses its socket', async () => {
  const { connect, log } = await open(SHARE)
  const client = await connect()
  await client.enter()
  const payload = { query: getIntrospectionQuery() }
  // The answer is cached from then on.
  client.send({ id: 'first', type: 'subscribe', payload })
  expect(await client.next()).toMatchObject({ type: 'next' })
  client.socket.pause()
  for (let place = 0; place < MANY; place += 1) {
    client.send({ id: `id ${place}`, type: 'subscribe', payload })
    // An operation that the client has ended does not count any more, and its answer may be on its way.
    client.send({ id: `id ${place}`, type: 'complete' })
  }
  for (let place = 0; place < 15; place += 1) client.send({ id: `id ${place}`, type: 'subscribe', payload })
  await isEnded(client, log)
})

const LONG = { type: 'ping', payload: { text: 'x'.repeat(90_000) } }
/** Both have more bytes than the buffers of the operating system take. */
const FLOOD = {
  message: { times: 300, send: (client: Client) => client.send(LONG) },
  frame: { times: 200_000, send: ({ socket }: Client) => socket.ping('x'.repeat(125)) },
}

it.each(['message', 'frame'] as const)(
  'a client that pings by one %s after the other and reads nothing loses its socket',
  async (kind) => {
    const { connect, log } = await open(SHARE)
    const client = await connect()
    await client.enter()
    client.socket.pause()
    for (let place = 0; place < FLOOD[kind].times; place += 1) FLOOD[kind].send(client)
    await isEnded(client, log)
  },
)

it('a socket that ends while its token is looked up leaves its place', async () => {
  const { connect, authenticate } = await open()
  const real = authenticate.getMockImplementation()!
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  authenticate.mockImplementation(async (token) => {
    await held
    return real(token)
  })
  for (let place = 1; place <= 20; place += 1) {
    const client = await connect()
    client.init()
    await vi.waitFor(() => expect(authenticate).toHaveBeenCalledTimes(place))
    client.socket.terminate()
  }
  const last = await connect()
  last.init()
  await vi.waitFor(() => expect(authenticate).toHaveBeenCalledTimes(21))
  release()
  expect(await last.next()).toMatchObject({ type: 'connection_ack' })
})

it('a frame that is none of the protocol ends its socket, and writes nothing past the log', async () => {
  const written = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => written.mockRestore())
  const { connect } = await open()
  const client = await connect()
  client.socket.send('x'.repeat(100_000))
  const [code] = await once(client.socket, 'close')
  expect(code).toBe(1_009)
  expect(written).not.toHaveBeenCalled()
})

it('a page of an origin that may not read answers opens no socket; the service’s own page and other programs do', async () => {
  const { url } = await openGateway({ corsOrigins: ['https://wallet.example'] })
  const open = (origin?: string) =>
    new Promise<number>((resolve) => {
      const socket = new WebSocket(
        `${url.replace('http', 'ws')}/graphql`,
        'graphql-transport-ws',
        origin === undefined ? {} : { origin },
      )
      onTestFinished(() => socket.terminate())
      socket.on('error', () => {})
      socket.on('upgrade', () => resolve(101))
      socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode ?? 0))
    })
  expect(await open('https://evil.example')).toBe(403)
  expect(await open('null')).toBe(403)
  expect(await open('https://wallet.example')).toBe(101)
  expect(await open(url)).toBe(101)
  expect(await open()).toBe(101)
})
