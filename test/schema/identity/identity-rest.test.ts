import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, graphql } from '../../harness/call.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { openInstance } from '../../relayer/identity/open-instance.ts'
import { createWallet } from '../../relayer/identity/wallet.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

it.each([
  [undefined, true],
  ['*/*', true],
  ['application/json, text/plain, */*', true],
  ['text/plain, application/json', true],
  ['text/plain;q=0.5, application/json', true],
  ['text/html, */*;q=0.1', true],
  ['text/plain', false],
  ['text/plain, */*;q=0.5', false],
  ['application/json;q=0.1, text/*', false],
])('a nonce asked for with Accept: %s is JSON: %s', async (accept, isJson) => {
  const instance = await openInstance(database)
  const answer = await instance.get(
    `/v1/nonce?address=${createWallet().address}`,
    accept === undefined ? {} : { accept },
  )
  expect(answer.status).toBe(200)
  expect(answer.text).toMatch(isJson ? /^"[0-9A-Za-z]{24}"$/ : /^[0-9A-Za-z]{24}$/)
  expect(answer.headers.get('content-type')).toMatch(isJson ? /^application\/json/ : /^text\/plain/)
})

it('a refused nonce request is answered with JSON', async () => {
  const instance = await openInstance(database)
  const answer = await instance.get('/v1/nonce?address=nobody', { accept: 'text/plain' })
  expect(answer).toMatchObject({ status: 400, json: { error: 'Bad request' } })
})

it('limits nonces to 20 and sign-ins to 10 a minute and client, in the words of the contract', async () => {
  const instance = await openInstance(database)
  const headers = { 'x-forwarded-for': '192.0.2.7' }
  const url = `${instance.url}/v1/nonce?address=${createWallet().address}`
  for (let count = 0; count < 20; count += 1) expect((await call(url, { headers })).status).toBe(200)
  expect(await call(url, { headers })).toMatchObject({
    status: 429,
    json: { message: 'Rate limit exceeded. Maximum 20 requests per 1 minute.' },
  })
  const verify = () => call(`${instance.url}/v1/verify`, { method: 'POST', body: {}, headers })
  for (let count = 0; count < 10; count += 1) expect((await verify()).status).toBe(400)
  expect(await verify()).toMatchObject({ status: 429, json: { error: 'Too Many Requests' } })
  const exchange = () => call(`${instance.url}/v1/oauth/token`, { method: 'POST', body: {}, headers })
  for (let count = 0; count < 10; count += 1)
    expect(await exchange()).toMatchObject({ status: 400, json: { error: 'invalid_request' } })
  expect(await exchange()).toMatchObject({ status: 429, json: { error: 'Too Many Requests' } })
})

it('a form must not repeat a member, and works for the token endpoint only', async () => {
  const instance = await openInstance(database)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect(await instance.post('/v1/oauth/token', 'code=1&code=2', form)).toMatchObject({
    status: 400,
    json: { error: 'invalid_request' },
  })
  expect(await instance.post('/v1/verify', 'message=1&signature=0x', form)).toMatchObject({ status: 400 })
})

it('a client can sign in by GraphQL', async () => {
  const instance = await openInstance(database)
  const wallet = createWallet()
  const asked = await graphql(instance.url, 'query ($address: Address!) { nonce(address: $address) }', {
    address: wallet.address,
  })
  const message = wallet.writeMessage(String(asked.data?.['nonce']))
  const signed = await graphql(
    instance.url,
    'mutation ($input: VerifyRequestInput!) { verify(input: $input) { ok token accountId keyAccessMethod } }',
    { input: { message, signature: await wallet.sign(message), authType: 'passkey_prf' } },
  )
  expect(signed.data?.['verify']).toMatchObject({ ok: true, accountId: null, keyAccessMethod: 'passkey_prf' })
})

it('the log has no token, nonce, signature, address or key of a sign-in', async () => {
  const instance = await openInstance(database)
  const wallet = createWallet()
  const siweNonce = await instance.askNonce(wallet)
  const message = wallet.writeMessage(siweNonce)
  const signature = await wallet.sign(message)
  const { json } = await instance.post('/v1/verify', { message, signature })
  const token = String(json?.['token'])
  await instance.post('/v1/verify', { message, signature })
  await instance.post('/v1/extension-authorizations', {}, { authorization: `Bearer ${token}` })
  await instance.post('/v1/oauth/token', { code: 'the-code', code_verifier: 'the-verifier' })
  await instance.post('/v1/logout', undefined, { authorization: `Bearer ${token}` })
  const log = JSON.stringify(instance.log).toLowerCase()
  expect(instance.log.length).toBeGreaterThanOrEqual(6)
  const secrets = [
    token,
    token.split('.')[1] ?? '',
    siweNonce,
    signature,
    wallet.address,
    'the-code',
    'the-verifier',
  ]
  for (const secret of [...secrets, wallet.material.child_p_view])
    expect(log).not.toContain(secret.toLowerCase())
})
