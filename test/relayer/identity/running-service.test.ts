import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, post } from '../../harness/call.ts'
import { startTestService, type TestService } from '../../harness/start-service.ts'
import { createWallet } from './wallet.ts'

let service: TestService
let second: TestService
beforeAll(async () => {
  service = await startTestService()
  // On the database of the first, with the first's master key, and a chain of its own.
  second = await startTestService({
    storage: { databaseUrl: service.database.url, dataDir: join(service.dataDir, 'second') },
    devnet: { ports: [0], deterministic: true, asp: false, chainIds: [31_338] },
    identity: { masterKeys: [readFileSync(join(service.dataDir, 'master-key'), 'utf8')] },
  })
})
afterAll(async () => {
  await second?.stop()
  await service?.stop()
})

it.each([
  ['one instance', () => [service.url, service.url, service.url]],
  ['two instances on one database', () => [service.url, second.url, service.url]],
] as const)('a client signs in and out over HTTP with %s', async (_, choose) => {
  const [nonceUrl, url, logoutUrl] = choose()
  const wallet = createWallet()
  const nonce = await call(`${nonceUrl}/v1/nonce?address=${wallet.address}`)
  expect(nonce).toMatchObject({ status: 200 })
  expect(nonce.json).toMatch(/^[0-9A-Za-z]{16,}$/)
  const message = wallet.writeMessage(JSON.parse(nonce.text) as string)
  const body = { message, signature: await wallet.sign(message), authType: 'passkey_prf' }
  const verified = await post(`${url}/v1/verify`, body)
  expect(verified).toMatchObject({
    status: 200,
    json: { ok: true, address: wallet.address, accountId: null, keyAccessMethod: 'passkey_prf' },
  })
  const bearer = { authorization: `Bearer ${String(verified.json?.['token'])}` }
  // A valid token of a wallet without an account: refused, but known.
  const request = {
    response_type: 'code',
    client_id: 'somebody',
    redirect_uri: 'http://localhost:4000/oauth/callback',
    state: 's',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  }
  const authorize = () => post(`${url}/v1/extension-authorizations`, request, bearer)
  expect(await authorize()).toMatchObject({ status: 403, json: { error: 'Forbidden' } })
  expect(await call(`${logoutUrl}/v1/logout`, { method: 'POST', headers: bearer })).toMatchObject({
    status: 200,
    json: { ok: true },
  })
  expect(await authorize()).toMatchObject({ status: 401, json: { error: 'invalid_token' } })
  expect(await call(`${url}/v1/logout`, { method: 'POST', headers: bearer })).toMatchObject({ status: 200 })
})

it('the master key file is readable by its owner only', () => {
  expect(statSync(join(service.dataDir, 'master-key')).mode & 0o777).toBe(0o600)
})
