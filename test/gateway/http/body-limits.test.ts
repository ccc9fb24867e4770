import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Identity } from '../../../relayer/identity/identity.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { openAccount } from '../../relayer/account/open-account.ts'
import { call, post } from '../../harness/call.ts'
import { openAccountsGateway } from '../open-accounts-gateway.ts'
import { openGateway } from '../open-gateway.ts'
import { openConnection, rawPost } from '../../harness/raw-connection.ts'
import { sampleQuoteBody } from '../sample-withdrawal.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

/** The first bytes of a request whose body never completes. */
const unfinished = (path: string, promised: number, sent: number) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${promised}\r\n\r\n${'x'.repeat(sent)}`

const openMany = (url: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => openConnection(url)))

it('a request without a required token is refused before its body arrives', async () => {
  const { url } = await openGateway()
  const connection = await openConnection(url)
  connection.send(unfinished('/v1/accounts/', 200_000, 1))
  expect((await connection.answer()).status).toBe(401)
  connection.socket.destroy()
  expect((await post(`${url}/v1/accounts/`, '{')).status).toBe(401)
})

it.each([
  ['/relayer/quote', 16_384],
  ['/relayer/request', 16_384],
  ['/v1/verify', 16_384],
  ['/graphql', 98_304],
])('a client without a token may send %s at most %i bytes', async (path, most) => {
  const { url } = await openGateway()
  const large = await post(url + path, `"${'x'.repeat(most - 1)}"`)
  expect(large.status).toBe(413)
  expect(large.text).toContain(`at most ${most} bytes`)
  expect((await post(url + path, `"${'x'.repeat(most - 2)}"`)).status).toBe(400)
})

it('a client with a valid token may send larger bodies by REST and GraphQL', async () => {
  const { url } = await openAccountsGateway(database)
  const owner = await openAccount(url)
  const filling = 'x'.repeat(200_000)
  const byRest = await call(`${url}${owner.path}/contact-email`, {
    method: 'PUT',
    headers: owner.headers,
    body: { email: 'somebody@example.org', filling },
  })
  expect(byRest.status).toBe(200)
  const request = { query: '{ viewer { accountId } }', variables: { filling } }
  const byGraphql = (headers: Record<string, string>) => post(`${url}/graphql`, request, headers)
  expect((await byGraphql(owner.headers)).json).toEqual({ data: { viewer: { accountId: owner.accountId } } })
  expect((await byGraphql({ authorization: 'Bearer none' })).status).toBe(413)
  const tooLarge = await call(`${url}${owner.path}/contact-email`, {
    method: 'PUT',
    headers: owner.headers,
    body: { filling: 'x'.repeat(262_144) },
  })
  expect(tooLarge.status).toBe(413)
})

it('unfinished bodies are limited in memory and do not keep small bodies out', async () => {
  const { url } = await openGateway({ maxInFlight: 1, bodyLimit: 32_768 })
  const slow = await openMany(url, 3)
  for (const connection of slow) connection.send(unfinished('/graphql', 32_768, 30_000))
  const refused = await Promise.race(slow.map((connection) => connection.answer()))
  expect(refused.status).toBe(503)
  expect(JSON.parse(refused.body)).toMatchObject({ errors: [{ extensions: { code: 'SERVER_BUSY' } }] })
  const connection = await openConnection(url)
  for (let request = 0; request < 3; request++) {
    connection.send(rawPost('/relayer/quote', JSON.stringify(sampleQuoteBody)))
    expect((await connection.answer()).status).toBe(200)
  }
  for (const { socket } of [...slow, connection]) socket.destroy()
})

it('a client that disconnects during the token lookup leaves nothing behind', async () => {
  const asked = Promise.withResolvers<void>()
  const found = Promise.withResolvers<null>()
  const authenticate = () => {
    asked.resolve()
    return found.promise
  }
  const { url, log } = await openGateway({}, { identity: { authenticate } as unknown as Identity })
  const connection = await openConnection(url)
  const request = unfinished('/graphql', 200_000, 1)
  connection.send(request.replace('\r\n\r\n', '\r\nauthorization: Bearer some\r\n\r\n'))
  await asked.promise
  connection.socket.destroy()
  await connection.closed()
  await new Promise((resolve) => setTimeout(resolve, 100))
  found.resolve(null)
  await expect.poll(() => log).toContainEqual(expect.objectContaining({ msg: 'request', gone: true }))
})
