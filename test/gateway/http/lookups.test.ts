import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { openInstance, type Instance } from '../../relayer/identity/open-instance.ts'
import { createWallet } from '../../relayer/identity/wallet.ts'
import { call, graphql, post } from '../../harness/call.ts'
import { openGateway } from '../open-gateway.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

/** A gateway that counts lookups, and a token for it. */
async function open() {
  const instance: Instance = await openInstance(database)
  const token = await instance.signIn(createWallet())
  const authenticate = vi.fn(instance.identity.authenticate)
  const { url } = await openGateway({}, { identity: { ...instance.identity, authenticate } })
  return { url, authenticate, headers: { authorization: `Bearer ${token}` } }
}

it('a public operation looks up no token', async () => {
  const { url, authenticate, headers } = await open()
  expect((await call(`${url}/v1/.well-known/hpke-public-key`, { headers })).status).toBe(200)
  expect(await post(`${url}/graphql`, { query: '{ hpkePublicKey { kem } }' }, headers)).toMatchObject({
    json: { data: { hpkePublicKey: { kem: 'X25519-HKDF-SHA256' } } },
  })
  expect(authenticate).not.toHaveBeenCalled()
})

it('a request looks up its token once for all fields', async () => {
  const { url, authenticate, headers } = await open()
  const query = '{ a: viewer { scopes } b: viewer { scopes } }'
  const viewer = { scopes: ['read', 'write'] }
  expect((await post(`${url}/graphql`, { query }, headers)).json).toEqual({ data: { a: viewer, b: viewer } })
  expect(authenticate).toHaveBeenCalledTimes(1)
})

it('text that cannot be a token is refused without a lookup', async () => {
  const { url, authenticate } = await open()
  for (const authorization of ['Bearer', 'Basic dTpw', 'Bearer a b'])
    expect((await post(`${url}/v1/logout`, undefined, { authorization })).status).toBe(200)
  expect(authenticate).not.toHaveBeenCalled()
})

it('a bad token counts as missing where a token is optional', async () => {
  const { url } = await open()
  const answer = await post(`${url}/v1/logout`, undefined, { authorization: 'Bearer nonsense' })
  expect(answer).toMatchObject({ status: 200, json: { ok: true } })
})

it('a refusal has the form of its operation and names the scheme', async () => {
  const { url } = await open()
  const account = await call(`${url}/v1/accounts/${crypto.randomUUID()}`)
  expect(account).toMatchObject({
    status: 401,
    json: { error: 'Unauthorized', message: expect.any(String), code: 'UNAUTHORIZED' },
  })
  expect(account.headers.get('www-authenticate')).toBe('Bearer')
  const oauth = await post(`${url}/v1/extension-authorizations`, {})
  expect([oauth.status, oauth.json]).toEqual([
    401,
    { error: 'invalid_token', error_description: expect.any(String) },
  ])
  const malformed = await post(`${url}/v1/oauth/token`, {})
  expect([malformed.status, malformed.json]).toEqual([
    400,
    { error: 'invalid_request', error_description: expect.any(String) },
  ])
})

it('a failed lookup is a masked server error and not a bad token', async () => {
  const { url, authenticate, headers } = await open()
  authenticate.mockRejectedValue(new Error('the database is away'))
  const answer = await call(`${url}/v1/accounts/${crypto.randomUUID()}`, { headers })
  expect(answer.status).toBe(500)
  expect(answer.text).not.toContain('database')
  expect((await graphql(url, '{ viewer { scopes } }')).data).toEqual({ viewer: null })
})
