import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ExecutionResult } from 'graphql'
import { createClient } from 'graphql-sse'
import { createClient as createSocketClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import { getAddress, parseEther } from 'viem'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connectWallet, type Wallet } from '../../devnet/wallet/connect-wallet.ts'
import { call } from '../../harness/call.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { openConnection } from '../../harness/raw-connection.ts'
import { startTestDevnet, type TestDevnet } from '../../harness/start-test-devnet.ts'
import { startTestService, type TestService } from '../../harness/start-service.ts'
import { subscribe } from '../../harness/subscribe.ts'
import { openAccount, OWN_LIMITS, signIn, textOf, type SignedIn } from '../../relayer/account/open-account.ts'

const QUERY = `subscription {
  accountEvents {
    __typename
    cursor
    ... on ActivityChanged { activity { id txHash state chain { name } } }
    ... on BalanceChanged { balance { id available token { symbol } } }
    ... on ResyncRequired { reason }
    ... on SessionExpiring { expiresAt }
    ... on ReviewChanged { unseenNeedsReview }
  }
}`

interface Event {
  __typename: string
  cursor: string
  reason?: string
  activity?: { id: string; txHash: string; state: string; chain: { name: string } }
  balance?: { id: string; available: string; token: { symbol: string } }
}

let devnet: TestDevnet
let database: TestDatabase
let service: TestService
let payer: Wallet
const masterKeys = [randomBytes(32).toString('hex')]

/** Instances share the database and the keys. */
async function start(
  port = 0,
  identity: Record<string, unknown> = {},
  graphql: Record<string, unknown> = {},
): Promise<TestService> {
  const [chain] = devnet.devnet.chains
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  const settings = JSON.parse(JSON.stringify(chain, asText)) as object
  return startTestService(
    {
      port,
      chains: [settings],
      identity: { masterKeys, ...identity },
      http: { ...OWN_LIMITS.http, graphql: { tokenCheckMs: 200, ...graphql } },
    },
    { database: { ...database, drop: async () => {} } },
  )
}

beforeAll(async () => {
  devnet = await startTestDevnet({ deterministic: true })
  database = await openTestDatabase()
  service = await start()
  payer = connectWallet(devnet.chain, devnet.chain.accounts[7]!.privateKey)
})
afterAll(async () => {
  await service?.stop()
  await database?.drop()
  await devnet?.[Symbol.asyncDispose]()
})

const tokenOf = ({ headers }: Pick<SignedIn, 'headers'>) => headers['authorization']?.slice('Bearer '.length)

/** Follows an account, from an event on. */
async function follow(owner: Pick<SignedIn, 'headers'>, lastId?: string) {
  const stream = await subscribe(service.url, QUERY, tokenOf(owner), 'POST', lastId)
  onTestFinished(() => stream.leave())
  const next = async (): Promise<Event> => {
    const result = (await stream.next()) as { data?: { accountEvents: Event }; errors?: unknown }
    if (!result.data) throw new Error(`no event: ${JSON.stringify(result)}`)
    return result.data.accountEvents
  }
  return {
    ...stream,
    event: next,
    /** All events up to the last. */
    async until(isLast: (event: Event, found: readonly Event[]) => boolean): Promise<Event[]> {
      for (const found: Event[] = []; ;) {
        const event = await next()
        expect(stream.lastId()).toBe(event.cursor)
        found.push(event)
        if (isLast(event, found)) return found
      }
    },
  }
}

async function openOwner() {
  const owner = await openAccount(service.url)
  const issued = await owner.send('POST', `${owner.path}/payment-address`, {})
  const address = getAddress(textOf(issued, 'address'))
  const pay = async () => {
    const hash = await payer.sender.sendTransaction({ to: address, value: parseEther('0.01') })
    await payer.reader.waitForTransactionReceipt({ hash })
    return hash
  }
  return { ...owner, pay }
}

const hashesOf = (events: readonly Event[]) => events.flatMap(({ activity }) => activity?.txHash ?? [])
const isReview = ({ __typename }: Event) => __typename === 'ReviewChanged'

test('a payment is told once, whatever cuts the stream: a disconnect, a restart, another token', async () => {
  const owner = await openOwner()
  const first = await follow(owner)
  expect(await first.event()).toMatchObject({ __typename: 'ResyncRequired', reason: 'start' })
  const one = await owner.pay()
  const early = await first.until(isReview)
  expect(hashesOf(early)).toEqual([one])
  expect(early.find(({ balance }) => balance)?.balance).toMatchObject({
    available: String(parseEther('0.01')),
    token: { symbol: 'ETH' },
  })
  first.leave()

  const two = await owner.pay()
  await service.stop()
  const three = await owner.pay()
  service = await start()
  const again = await signIn(service.url, owner.wallet)
  expect(tokenOf(again)).not.toBe(tokenOf(owner))
  const second = await follow(again, first.lastId())
  // Blocks that are indexed together have no order.
  const hasBoth = (_: Event, found: readonly Event[]) =>
    [two, three].every((hash) => hashesOf(found).includes(hash))
  const late = await second.until(hasBoth)
  expect(hashesOf(late).toSorted()).toEqual([two, three].toSorted())
  expect(late.map(({ __typename }) => __typename)).not.toContain('ResyncRequired')
  second.leave()

  // From the first event on, as by the argument of a client without the header.
  const all = await follow(again, early[0]?.cursor)
  const four = await owner.pay()
  const rest = await all.until(({ activity }) => activity?.txHash === four)
  expect(hashesOf(rest).slice(-3).toSorted()).toEqual([two, three, four].toSorted())
})

test('an event has the id by which the account lists its thing', async () => {
  const owner = await openOwner()
  const stream = await follow(owner)
  await stream.event()
  await owner.pay()
  const events = await stream.until(isReview)
  const query = '{ viewer { account { activities(first: 1) { nodes { id } } balances { nodes { id } } } } }'
  const { json } = await owner.send('POST', '/graphql', { query })
  expect(json).toMatchObject({
    data: {
      viewer: {
        account: {
          activities: { nodes: [{ id: events.find(({ activity }) => activity)?.activity?.id }] },
          balances: { nodes: [{ id: events.find(({ balance }) => balance)?.balance?.id }] },
        },
      },
    },
  })
})

test('a stream ends with UNAUTHORIZED once its token is dead, and needs one from the start', async () => {
  const owner = await openOwner()
  const stream = await follow(owner)
  await stream.event()
  await owner.send('POST', '/v1/logout')
  expect(await stream.next()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHORIZED' } }] })
  const refused = await follow({ headers: {} })
  expect(await refused.next()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHORIZED' } }] })
})

test('a stream says a minute before that its token ends', async () => {
  const other = await start(0, { sessionSeconds: 60 })
  onTestFinished(() => other.stop())
  const owner = await openAccount(other.url)
  const stream = await subscribe(other.url, QUERY, tokenOf(owner))
  onTestFinished(() => stream.leave())
  await stream.next()
  expect(await stream.next()).toMatchObject({ data: { accountEvents: { __typename: 'SessionExpiring' } } })
  expect(stream.lastId()).toBeDefined()
})

test('a stream whose events read more than its client has points for is cut, and resumes elsewhere', async () => {
  const other = await start(0, {}, { pointsPerMinuteOfNetwork: 20_000, pointsPerMinute: 60_000 })
  onTestFinished(() => other.stop())
  const owner = await openOwner()
  const fields = ['one', 'two', 'three'].map((name) => `${name}: addresses(first: 400) { totalCount }`)
  const query = `subscription { accountEvents { cursor account { ${fields.join(' ')} } } }`
  const stream = await subscribe(other.url, query, tokenOf(owner))
  onTestFinished(() => stream.leave())
  expect(await stream.next()).toMatchObject({
    data: { accountEvents: { account: { one: { totalCount: 1 } } } },
  })
  let isCut = false
  const read = async () => {
    for (;;) if ((await stream.next()) === undefined) throw new Error('the stream has completed')
  }
  const reading = read().catch((error: unknown) => {
    isCut = true
    return String(error)
  })
  const payAgain = async () => {
    if (!isCut) await owner.pay()
    return isCut
  }
  await expect.poll(payAgain, { timeout: 60_000 }).toBe(true)
  expect(await reading).not.toContain('has completed')
  // An instance whose limits leave room has the event that was not delivered.
  const resumed = await subscribe(service.url, query, tokenOf(owner), 'POST', stream.lastId())
  onTestFinished(() => resumed.leave())
  expect(await resumed.next()).toMatchObject({ data: { accountEvents: { account: { one: {} } } } })
})

test('one connection of graphql-sse carries several operations, and a stream with a renewed token', async () => {
  const owner = await openOwner()
  let { headers } = owner
  let cursor: string | null = null
  const client = createClient({
    url: `${service.url}/graphql/stream`,
    singleConnection: true,
    headers: () => ({ ...headers, ...(cursor !== null && { 'last-event-id': cursor }) }),
    retryAttempts: 0,
  })
  onTestFinished(() => client.dispose())
  const next = async (events: AsyncIterableIterator<unknown>) => {
    const { value } = (await events.next()) as { value: { data: { accountEvents: Event } } }
    const event = value.data.accountEvents
    cursor = event.cursor
    return event
  }
  const first = client.iterate({ query: QUERY })
  expect(await next(first)).toMatchObject({ reason: 'start' })
  const asked = client.iterate({ query: '{ viewer { accountId } }' })
  expect((await asked.next()).value).toMatchObject({ data: { viewer: { accountId: owner.accountId } } })
  expect(await asked.next()).toMatchObject({ done: true })
  const one = await owner.pay()
  expect(await next(first)).toMatchObject({ activity: { txHash: one } })

  const again = await signIn(service.url, owner.wallet)
  await owner.send('POST', '/v1/logout')
  ;({ headers } = again)
  const ended: unknown[] = []
  for await (const result of first) ended.push(result)
  expect(ended.at(-1)).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHORIZED' } }] })
  const second = client.iterate({ query: QUERY })
  const two = await owner.pay()
  const found: Event[] = []
  while (hashesOf(found).length === 0) found.push(await next(second))
  expect(hashesOf(found)).toEqual([two])
})

test('one connection refuses what it cannot carry', async () => {
  const owner = await openOwner()
  const path = '/graphql/stream'
  const ask = async (method: string, token?: string, body?: unknown, more: Record<string, string> = {}) => {
    const headers = { ...owner.headers, ...(token && { 'x-graphql-event-stream-token': token }), ...more }
    return call(`${service.url}${path}`, { method, headers, ...(body !== undefined && { body }) })
  }
  const without = await call(`${service.url}${path}`, { method: 'PUT' })
  expect(without.status).toBe(401)
  expect((await ask('GET', 'unknown')).status).toBe(404)
  const { status, text: token } = await ask('PUT')
  expect(status).toBe(201)
  expect((await ask('POST', token, { query: '{ viewer { accountId } }' })).status).toBe(400)
  const body = { query: QUERY, extensions: { operationId: 'one' } }
  expect((await ask('POST', token, body)).status).toBe(202)
  expect((await ask('POST', token, body)).status).toBe(409)
  const cancelled = await call(`${service.url}${path}?operationId=one`, {
    method: 'DELETE',
    headers: { 'x-graphql-event-stream-token': token },
  })
  expect(cancelled.status).toBe(200)
  expect((await ask('POST', token, body)).status).toBe(202)
})

/** A client of graphql-ws; `closed` resolves to the code with which its socket was closed. Not lazy, it connects at once. */
function connectSocket(connectionParams: Record<string, unknown>, lazy = true) {
  const { promise: closed, resolve: close } = Promise.withResolvers<number>()
  const { promise: connected, resolve: connect } = Promise.withResolvers<'connected'>()
  const client = createSocketClient({
    url: `${service.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams,
    retryAttempts: 0,
    lazy,
    onNonLazyError: () => {},
    on: {
      closed: (event) => close((event as { code: number }).code),
      connected: () => connect('connected'),
    },
  })
  onTestFinished(() => void client.dispose())
  return Object.assign(client, { closed, connected })
}

test('a client of graphql-ws follows an account, and is refused without a token', async () => {
  const owner = await openOwner()
  const connect = connectSocket
  const client = connect({ authorization: `Bearer ${tokenOf(owner)}` })
  const events = client.iterate<{ accountEvents: Event }>({ query: QUERY })
  const next = async () => ((await events.next()) as IteratorYieldResult<ExecutionResult>).value
  const first = (await next()) as { data: { accountEvents: Event }; extensions: object }
  expect(first.data.accountEvents).toMatchObject({ reason: 'start' })
  expect(first.extensions).toEqual({ cursor: first.data.accountEvents.cursor })
  const asked = client.iterate({ query: '{ viewer { accountId } }' })
  expect((await asked.next()).value).toMatchObject({ data: { viewer: { accountId: owner.accountId } } })
  const hash = await owner.pay()
  expect(await next()).toMatchObject({ data: { accountEvents: { activity: { txHash: hash } } } })
  await events.return?.()
  const wrong = client.iterate({ query: '{ unknown }' })
  expect((await wrong.next()).value).toMatchObject({
    errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
  })

  const stranger = connect({}).iterate({ query: QUERY })
  await expect(stranger.next()).rejects.toMatchObject({ code: 4403 })
})

test('operations of a socket are counted, and its client learns that the service stops', async () => {
  const owner = await openOwner()
  const client = connectSocket({ authorization: `Bearer ${tokenOf(owner)}` })
  const counted = async () => {
    const { text } = await call(`${service.url}/metrics`)
    return Number(
      /http_request_duration_seconds_count\{operation="graphql",status="200"\} (\d+)/.exec(text)?.[1],
    )
  }
  const before = (await counted()) || 0
  const events = client.iterate({ query: QUERY })
  await events.next()
  await expect.poll(counted, { timeout: 30_000 }).toBe(before + 1)
  const ended = events.next().catch(() => {})
  const { port } = new URL(service.url)
  await service.stop()
  expect(await client.closed).toBe(1_001)
  await ended
  service = await start(Number(port))
})

test('an account has at most twenty streams, twenty connections of graphql-sse, and twenty sockets', async () => {
  const owner = await openOwner()
  const streams = await Promise.all(Array.from({ length: 20 }, () => follow(owner)))
  for (const stream of streams) await stream.event()
  expect(await (await follow(owner)).next()).toMatchObject({ errors: [{ extensions: { status: 429 } }] })

  const reserve = async () => {
    const { headers } = owner
    return (await call(`${service.url}/graphql/stream`, { method: 'PUT', headers })).status
  }
  const statuses: number[] = []
  for (let at = 0; at < 21; at += 1) statuses.push(await reserve())
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 429])

  const open = () => connectSocket({ authorization: `Bearer ${tokenOf(owner)}` }, false)
  const opened = Array.from({ length: 20 }, open)
  expect(await Promise.all(opened.map(({ connected }) => connected))).toHaveLength(20)
  expect(await open().closed).toBe(4_403)
})

test('a request to upgrade to anything else is served as it is', async () => {
  const { socket, send } = await openConnection(service.url)
  onTestFinished(() => void socket.destroy())
  const answered = once(socket, 'data')
  send('GET /version HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n')
  expect(String((await answered)[0])).toMatch(/^HTTP\/1.1 200/)
})

/** The block of PROTOCOL.md in a language that has a word. */
async function readBlock(language: string, word: string): Promise<string> {
  const document = await readFile(new URL('../../../PROTOCOL.md', import.meta.url), 'utf8')
  const blocks = [...document.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))]
  return blocks.map(([, text = '']) => text).find((text) => text.includes(word)) ?? ''
}

test('the program of PROTOCOL.md hears each payment once, across a restart and a dead token', async () => {
  const owner = await openOwner()
  const folder = await mkdtemp(join(tmpdir(), 'protocol-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'follow-account.mjs')
  await writeFile(file, await readBlock('js', 'followAccount'))
  const { followAccount } = await import(pathToFileURL(file).href)
  const shown: Event[] = []
  const leave = new AbortController()
  onTestFinished(() => leave.abort())
  let session: Pick<SignedIn, 'headers'> = owner
  const renewals: boolean[] = []
  const following = followAccount({
    url: service.url,
    query: await readBlock('graphql', 'accountEvents'),
    async token(isDead: boolean) {
      if (isDead) session = await signIn(service.url, owner.wallet)
      if (isDead) renewals.push(true)
      return tokenOf(session)
    },
    show: (event: Event) => void shown.push(event),
    signal: leave.signal,
  })
  await expect.poll(() => shown[0]).toMatchObject({ reason: 'start' })
  const paid = [await owner.pay()]
  await expect.poll(() => hashesOf(shown), { timeout: 30_000 }).toEqual(paid)
  await owner.send('POST', '/v1/logout')
  paid.push(await owner.pay())
  await expect.poll(() => renewals, { timeout: 30_000 }).toEqual([true])
  const { port } = new URL(service.url)
  await service.stop()
  paid.push(await owner.pay())
  service = await start(Number(port))
  await expect.poll(() => hashesOf(shown).toSorted(), { timeout: 60_000 }).toEqual(paid.toSorted())
  expect(shown.filter(({ reason }) => reason !== undefined)).toHaveLength(1)
  leave.abort()
  await following
})
