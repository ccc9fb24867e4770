import { createHash, randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../db/connect-database.ts'
import { setAccountDisabled } from '../../../db/identity/account-standing.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { addAccount, bearer, openInstance, TEST_CLIENT, type Instance } from './open-instance.ts'
import { createWallet } from './wallet.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const redirect = TEST_CLIENT.redirectUris[0]!
const connected = createWallet().address

function makeRequest(changes: Record<string, unknown> = {}) {
  const verifier = randomBytes(32).toString('base64url')
  const request = {
    response_type: 'code',
    client_id: TEST_CLIENT.clientId,
    redirect_uri: redirect,
    state: 'state & more',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    wallet_address: connected,
    ...changes,
  }
  return { verifier, request }
}

/** Opens a wallet with an account that has let the extension in. */
async function openStory(instance: Instance, authType = 'wallet_pin', changes: Record<string, unknown> = {}) {
  const wallet = createWallet()
  const accountId = await addAccount(database, instance.vault, wallet)
  const token = await instance.signIn(wallet, authType)
  const { verifier, request } = makeRequest(changes)
  const authorized = await instance.post('/v1/extension-authorizations', request, bearer(token))
  const exchange = {
    grant_type: 'authorization_code',
    code: authorized.json?.['code'],
    code_verifier: verifier,
    client_id: TEST_CLIENT.clientId,
    redirect_uri: redirect,
  }
  return { accountId, token, authorized, exchange }
}

const exchangeCode = (instance: Instance, body: unknown) => instance.post('/v1/oauth/token', body)

describe('authorizing the extension', () => {
  it('exchanges a code of 300 seconds for a token of a week that acts for the account', async () => {
    const instance = await openInstance(database)
    const { accountId, authorized, exchange } = await openStory(instance)
    expect(authorized).toMatchObject({
      status: 200,
      json: { code: expect.any(String), state: 'state & more', account_id: accountId, expires_in: 300 },
    })
    const answer = await exchangeCode(instance, exchange)
    expect(answer).toMatchObject({
      status: 200,
      json: {
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 604_800,
        account_id: accountId,
        auth_method: 'walletPin',
        wallet_address: connected,
      },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const token = String(answer.json?.['access_token'])
    const { exp = 0, iat = 0 } = decodeJwt(token)
    expect(exp - iat).toBe(604_800)
    expect(await instance.identity.authenticate(token)).toMatchObject({
      kind: 'extension',
      accountId,
      keyAccessMethod: 'wallet_pin',
    })
  })

  it('accepts the form encoding of OAuth clients', async () => {
    const instance = await openInstance(database)
    const { exchange } = await openStory(instance, 'passkey_prf', { wallet_address: undefined })
    const answer = await instance.post('/v1/oauth/token', new URLSearchParams(exchange as never).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(answer).toMatchObject({ status: 200, json: { auth_method: 'passkey', wallet_address: null } })
  })

  it('accepts one of 20 simultaneous uses of a code, and the second use revokes its token', async () => {
    const instance = await openInstance(database)
    const { exchange } = await openStory(instance)
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchangeCode(instance, exchange)))
    const good = answers.filter(({ status }) => status === 200)
    expect(good).toHaveLength(1)
    for (const { status, json } of answers)
      if (status !== 200)
        expect({ status, json }).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
    expect(await instance.identity.authenticate(String(good[0]?.json?.['access_token']))).toBe(null)
  })

  it('stores the revocation longer than the token can last', async () => {
    const instance = await openInstance(database)
    const { exchange } = await openStory(instance)
    const good = await exchangeCode(instance, exchange)
    await exchangeCode(instance, exchange)
    const { exp = NaN, jti = '' } = decodeJwt(String(good.json?.['access_token']))
    const until = await database.pool.oneFirst(sql.type(z.object({ until: z.date() }))`
      select expires_at as until from revoked_token where token_id = ${jti}`)
    expect(until.getTime()).toBeGreaterThan((exp + 30) * 1_000)
  })

  it('needs one database connection per code, also when keys are read again', async () => {
    const instance = await openInstance(database, { connections: 2 })
    const stories = [await openStory(instance), await openStory(instance)]
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 })
    onTestFinished(() => void vi.useRealTimers())
    const answers = await Promise.all(stories.map(({ exchange }) => exchangeCode(instance, exchange)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })

  it('stores neither the code nor the wallet in clear text', async () => {
    const instance = await openInstance(database)
    const { exchange } = await openStory(instance)
    const rows = async () =>
      JSON.stringify(await database.pool.any(sql.unsafe`select oauth_code::text as row from oauth_code`))
    const wallet = Buffer.from(connected).toString('hex')
    expect(await rows()).not.toContain(String(exchange.code))
    expect((await rows()).toLowerCase()).not.toContain(connected.toLowerCase())
    expect(await rows()).not.toContain(wallet)
    await exchangeCode(instance, exchange)
    const left = await database.pool.oneFirst(sql.unsafe`
      select count(*)::int4 from oauth_code where token_id is not null and sealed_wallet is not null`)
    expect(left).toBe(0)
  })
})

describe('a request for a code', () => {
  it.each([
    ['another response type', { response_type: 'token' }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a challenge of another length', { code_challenge: 'abc' }, 'invalid_request'],
    ['an unknown client', { client_id: 'somebody' }, 'unauthorized_client'],
    [
      'an address that is not registered',
      { redirect_uri: 'https://evil.example/callback' },
      'invalid_request',
    ],
    ['an address with more behind it', { redirect_uri: `${redirect}/x` }, 'invalid_request'],
    ['an address in other letters', { redirect_uri: redirect.toUpperCase() }, 'invalid_request'],
    ['no address', { redirect_uri: undefined }, 'invalid_request'],
    ['no state', { state: undefined }, 'invalid_request'],
    ['a wallet that is no address', { wallet_address: '0x12' }, 'invalid_request'],
  ])('with %s is refused', async (_, changes, error) => {
    const instance = await openInstance(database)
    const { authorized } = await openStory(instance, 'wallet_pin', changes)
    expect(authorized).toMatchObject({ status: 400, json: { error, error_description: expect.any(String) } })
    expect(Object.keys(authorized.json ?? {}).sort()).toEqual(['error', 'error_description'])
  })

  it("without a token, without an account, or with an extension's token is refused", async () => {
    const instance = await openInstance(database)
    const { request } = makeRequest()
    const ask = (headers: Record<string, string>) =>
      instance.post('/v1/extension-authorizations', request, headers)
    expect(await ask({})).toMatchObject({ status: 401, json: { error: 'invalid_token' } })
    expect(await ask(bearer('nonsense'))).toMatchObject({ status: 401 })
    expect(await ask(bearer(await instance.signIn(createWallet())))).toMatchObject({
      status: 403,
      json: { error: 'Forbidden', message: expect.any(String) },
    })
    const { exchange } = await openStory(instance)
    const extension = String((await exchangeCode(instance, exchange)).json?.['access_token'])
    expect(await ask(bearer(extension))).toMatchObject({ status: 403 })
  })
})

describe('a client with a code', () => {
  it.each([
    ['another verifier', { code_verifier: 'v'.repeat(43) }, 400, 'invalid_grant'],
    ['a short verifier', { code_verifier: 'v' }, 400, 'invalid_grant'],
    ['no verifier', { code_verifier: undefined }, 400, 'invalid_request'],
    ['another address', { redirect_uri: 'https://evil.example/' }, 400, 'invalid_grant'],
    ['an unknown client', { client_id: 'somebody' }, 401, 'invalid_client'],
    ['another grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['a code that was never given', { code: 'x'.repeat(43) }, 400, 'invalid_grant'],
    ['no code', { code: undefined }, 400, 'invalid_request'],
  ])('and %s is refused, while the rightful client is accepted', async (_, changes, status, error) => {
    const instance = await openInstance(database)
    const { exchange } = await openStory(instance)
    const refused = await exchangeCode(instance, { ...exchange, ...changes })
    expect(refused).toMatchObject({ status, json: { error, error_description: expect.any(String) } })
    expect((await exchangeCode(instance, exchange)).status).toBe(200)
  })

  it('that expired, or whose account was disabled, gets nothing', async () => {
    const instance = await openInstance(database)
    const [late, disabled] = [await openStory(instance), await openStory(instance)]
    await database.pool.query(sql.typeAlias('void')`
      update oauth_code set expires_at = now() where account_id = ${late.accountId}`)
    await setAccountDisabled(database.pool, disabled.accountId, true)
    for (const { exchange } of [late, disabled])
      expect(await exchangeCode(instance, exchange)).toMatchObject({
        status: 400,
        json: { error: 'invalid_grant' },
      })
  })
})
