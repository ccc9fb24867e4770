import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { openAccount, signIn } from '../../relayer/account/open-account.ts'
import { createWallet } from '../../relayer/identity/wallet.ts'
import { call, post } from '../../harness/call.ts'
import { openAccountsGateway } from '../open-accounts-gateway.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const nonceUrl = (url: string) => `${url}/v1/nonce?address=${createWallet().address}`
const from = (address: string) => ({ 'x-forwarded-for': address })

async function statuses(times: number, ask: () => Promise<{ status: number }>): Promise<number[]> {
  const all: number[] = []
  for (let at = 0; at < times; at += 1) all.push((await ask()).status)
  return [...new Set(all)]
}

it('answers say how many requests are left, and a refusal how long to wait', async () => {
  const { url } = await openAccountsGateway(database)
  const first = await call(nonceUrl(url))
  expect(first.headers.get('ratelimit')).toBe('"nonce";r=19;t=60')
  expect(first.headers.get('ratelimit-policy')).toBe('"nonce";q=20;w=60')
  expect(first.headers.get('access-control-expose-headers')).toContain('ratelimit, ratelimit-policy')
  // Malformed requests count as well, and their answers show it.
  expect((await call(`${url}/v1/nonce`)).headers.get('ratelimit')).toContain('r=18')
  expect(await statuses(18, () => call(nonceUrl(url)))).toEqual([200])
  const refused = await call(nonceUrl(url))
  expect(refused).toMatchObject({
    status: 429,
    json: {
      error: 'Too Many Requests',
      message: 'Rate limit exceeded. Maximum 20 requests per 1 minute.',
    },
  })
  const wait = Number(refused.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(60)
  expect(refused.headers.get('ratelimit')).toBe(`"nonce";r=0;t=${wait}`)
  // Other operations have other limits.
  const other = await call(`${url}/v1/.well-known/hpke-public-key`)
  expect([other.status, other.headers.get('ratelimit')]).toEqual([200, '"hpkePublicKey";r=59999;t=60'])
})

it('X-Forwarded-For is ignored unless a proxy is trusted', async () => {
  const { url } = await openAccountsGateway(database)
  let at = 0
  expect(await statuses(21, () => call(nonceUrl(url), { headers: from(`10.0.0.${(at += 1)}`) }))).toEqual([
    200, 429,
  ])
})

it('of X-Forwarded-For only the entry of the trusted proxy counts', async () => {
  const { url } = await openAccountsGateway(database, { trustedProxies: 1 })
  let at = 0
  const forged = () => call(nonceUrl(url), { headers: from(`10.0.0.${(at += 1)}, 198.51.100.1`) })
  expect(await statuses(21, forged)).toEqual([200, 429])
  expect((await call(nonceUrl(url), { headers: from('198.51.100.2') })).status).toBe(200)
})

it('the addresses of an IPv6 subscriber count as one client', async () => {
  const { url } = await openAccountsGateway(database, { trustedProxies: 1 })
  let at = 0
  const next = () => call(nonceUrl(url), { headers: from(`2001:db8:0:1::${(at += 1).toString(16)}`) })
  expect(await statuses(21, next)).toEqual([200, 429])
  expect((await call(nonceUrl(url), { headers: from('2001:db8:0:2::1') })).status).toBe(200)
})

it('each field of a GraphQL request counts like a REST request', async () => {
  const { url } = await openAccountsGateway(database)
  const { address } = createWallet()
  const fields = Array.from({ length: 21 }, (_, at) => `n${at}: nonce(address: "${address}")`)
  const answer = await post(`${url}/graphql`, { query: `{ ${fields.join(' ')} }` })
  const { data, errors } = answer.json as { data: Record<string, unknown>; errors: object[] }
  expect(Object.values(data).filter((nonce) => nonce !== null)).toHaveLength(20)
  expect(errors).toMatchObject([
    {
      message: 'Rate limit exceeded. Maximum 20 requests per 1 minute.',
      extensions: { error: 'Too Many Requests', status: 429, retryAfter: expect.any(Number) },
    },
  ])
  expect(answer.headers.get('ratelimit')).toContain('"nonce";r=0')
  expect((await call(nonceUrl(url))).status).toBe(429)
})

it('limits count an account, not its tokens or network addresses', async () => {
  const { url } = await openAccountsGateway(database, { trustedProxies: 1 })
  const owner = await openAccount(url)
  const again = await signIn(url, owner.wallet)
  const email = `${owner.path}/contact-email`
  expect(await statuses(40, () => owner.get(email))).toEqual([200])
  expect(await statuses(19, () => again.get(email))).toEqual([200])
  const document = { query: `{ account(accountId: "${owner.accountId}") { contactEmail { email } } }` }
  const nested = () => post(`${url}/graphql`, document, owner.headers)
  expect((await nested()).json).toEqual({ data: { account: { contactEmail: { email: null } } } })
  expect((await nested()).json).toMatchObject({
    data: { account: { contactEmail: null } },
    errors: [{ path: ['account', 'contactEmail'], extensions: { status: 429 } }],
  })
  expect((await again.get(email)).status).toBe(429)
  // Another account behind the same address is not affected.
  const neighbour = await openAccount(url)
  const headers = { ...neighbour.headers, 'x-forwarded-for': owner.headers['x-forwarded-for'] ?? '' }
  expect((await call(`${url}${neighbour.path}/contact-email`, { headers })).status).toBe(200)
})

it('guesses at tokens are limited without locking out valid tokens', async () => {
  const { url } = await openAccountsGateway(database, { trustedProxies: 1 })
  const owner = await openAccount(url)
  const headers = { ...owner.headers, authorization: 'Bearer guess' }
  const limited = () => call(`${url}${owner.path}/contact-email`, { headers })
  expect(await statuses(61, limited)).toEqual([401, 429])
  const unlimited = () => call(`${url}${owner.path}`, { headers })
  expect(await statuses(121, unlimited)).toEqual([401, 429])
  expect((await owner.get(owner.path)).status).toBe(200)
  expect((await owner.get(`${owner.path}/contact-email`)).status).toBe(200)
})

it('submissions of an account are limited, failed ones included', async () => {
  const { url } = await openAccountsGateway(database)
  const { path, send } = await openAccount(url)
  expect(await statuses(60, () => send('POST', `${path}/submit`, {}))).toEqual([400])
  expect(await send('POST', `${path}/submit`, {})).toMatchObject({
    status: 429,
    json: { message: 'Rate limit exceeded. Maximum 60 requests per 1 minute.' },
  })
})

it('points of documents count by client address first, then by account', async () => {
  const { url } = await openAccountsGateway(database, {
    graphql: { pointsPerMinuteOfNetwork: 3_000, pointsPerMinute: 6_000 },
  })
  const owner = await openAccount(url)
  const document = { query: `{ account(accountId: "${owner.accountId}") { accountId } }` }
  const withToken = () => post(`${url}/graphql`, document, owner.headers)
  const without = () => post(`${url}/graphql`, document)
  expect(await statuses(2, without)).toEqual([200])
  expect((await without()).status).toBe(429)
  expect(await statuses(4, withToken)).toEqual([200])
  const refused = await withToken()
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})
