import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../db/connect-database.ts'
import { call } from '../../harness/call.ts'
import { startTestService, type TestService } from '../../harness/start-service.ts'
import { openAccount, OWN_LIMITS, signIn } from './open-account.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({
    ...OWN_LIMITS,
    accounts: { dismissablePrompts: ['backup', 'subdomain'] },
  })
})
afterAll(() => service?.stop())

test('an account is shown to its owner with exactly the members of the contract', async () => {
  const owner = await openAccount(service.url)
  const { status, json } = await owner.get(owner.path)
  expect(status).toBe(200)
  expect(json).toEqual({
    accountId: owner.accountId,
    address: owner.wallet.address,
    isRegistered: true,
    keyAccessMethod: 'wallet_pin',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    subdomain: null,
    encryptedCustomEnsName: null,
    activationOfferClaimExpiresAt: expect.stringMatching(/Z$/),
    lastConsumedNonce: null,
    collectible: { active: false, deposits: [] },
    hasPoolDeposits: false,
    dismissedProfilePrompts: [],
  })
  const name = { encryptedCustomEnsName: 'c2VhbGVk' }
  for (const refused of ['', 'not base64!', 'AAAA'.repeat(513)])
    expect(
      await owner.send('PUT', `${owner.path}/custom-ens-name`, { encryptedCustomEnsName: refused }),
    ).toMatchObject({ status: 400 })
  expect(await owner.send('PUT', `${owner.path}/custom-ens-name`, name)).toMatchObject({
    status: 200,
    json: name,
  })
  expect((await owner.get(owner.path)).json).toMatchObject(name)
  expect(await owner.send('DELETE', `${owner.path}/custom-ens-name`)).toMatchObject({ status: 200 })
  expect((await owner.get(owner.path)).json).toMatchObject({ encryptedCustomEnsName: null })
  await owner.send('POST', `${owner.path}/payment-address`, {})
  await owner.send('POST', `${owner.path}/payment-address`, {})
  expect((await owner.get(owner.path)).json).toMatchObject({ lastConsumedNonce: 1 })
  expect((await owner.get(owner.path.toUpperCase().replace('/V1/ACCOUNTS', '/v1/accounts'))).status).toBe(200)
})

const PLACES: [string, string, unknown?][] = [
  ['GET', ''],
  ['GET', '/addresses'],
  ['GET', '/dapp-addresses'],
  ['GET', '/address-ownership?address=0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'],
  ['POST', '/payment-address', {}],
  ['GET', '/contact-email'],
  ['PUT', '/contact-email', { email: 'a@example.org' }],
  ['DELETE', '/contact-email'],
  ['PUT', '/profile-prompts/backup/dismissal'],
]

describe.each(PLACES)('%s …%s', (method, place, body) => {
  test('requires a token of the account itself', async () => {
    const [owner, other] = [await openAccount(service.url), await openAccount(service.url)]
    const stranger = await signIn(service.url)
    for (const intruder of [other, stranger]) {
      const answer = await intruder.send(method, owner.path + place, body)
      expect(answer).toMatchObject({ status: 403, json: { error: 'Forbidden' } })
    }
    const nobody = await call(service.url + owner.path + place, {
      method,
      ...(body !== undefined && { body }),
    })
    expect(nobody).toMatchObject({ status: 401, json: { error: 'Unauthorized', code: 'UNAUTHORIZED' } })
    expect((await owner.send(method, `/v1/accounts/not-a-uuid${place}`, body)).status).toBe(403)
    expect((await owner.send(method, owner.path + place, body)).status).toBeLessThan(300)
  })
})

describe('the contact e-mail', () => {
  test('is stored encrypted, normalised, replaced and removed', async () => {
    const owner = await openAccount(service.url)
    const path = `${owner.path}/contact-email`
    const read = async () => (await owner.get(path)).json
    expect(await read()).toEqual({ email: null })
    expect((await owner.send('PUT', path, { email: '  Some.Body@Example.ORG ' })).json).toEqual({
      email: 'Some.Body@example.org',
    })
    expect(await read()).toEqual({ email: 'Some.Body@example.org' })
    const sealed = await service.database.pool.oneFirst(sql.type(z.object({ bytes: z.instanceof(Buffer) }))`
      select sealed_email as bytes from contact_email where account_id = ${owner.accountId}`)
    expect(sealed.toString('latin1')).not.toMatch(/example/i)
    await owner.send('PUT', path, { email: 'other@example.org' })
    expect(await read()).toEqual({ email: 'other@example.org' })
    for (const _ of [1, 2])
      expect(await owner.send('DELETE', path)).toMatchObject({ status: 200, json: { email: null } })
    expect(await read()).toEqual({ email: null })
  })

  test('of another account cannot be decrypted in this one', async () => {
    const [one, two] = [await openAccount(service.url), await openAccount(service.url)]
    for (const { send, path } of [one, two])
      await send('PUT', `${path}/contact-email`, { email: 'x@example.org' })
    await service.database.pool.query(sql.typeAlias('void')`
      update contact_email set sealed_email = other.sealed_email
      from contact_email as other
      where contact_email.account_id = ${one.accountId} and other.account_id = ${two.accountId}`)
    const { status, text } = await one.get(`${one.path}/contact-email`)
    expect(status).toBe(500)
    expect(text).not.toContain('example')
  })

  test.each([
    'nobody',
    'a@b',
    '@example.org',
    'a b@example.org',
    'a@example.org\r\nBcc: b@example.org',
    `${'a'.repeat(250)}@example.org`,
    'x'.repeat(10_000),
    '',
    null,
    5,
    undefined,
  ])('%j is refused', async (email) => {
    const owner = await openAccount(service.url)
    const answer = await owner.send('PUT', `${owner.path}/contact-email`, { email })
    expect(answer).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST' } })
    expect(answer.json?.['message']).toContain('body.email')
    expect((await owner.get(`${owner.path}/contact-email`)).json).toEqual({ email: null })
  })
})

test('a prompt is dismissed once, however often the request comes', async () => {
  const owner = await openAccount(service.url)
  const dismiss = (prompt: string) => owner.send('PUT', `${owner.path}/profile-prompts/${prompt}/dismissal`)
  const answers = await Promise.all(Array.from({ length: 5 }, () => dismiss('backup')))
  const [first] = answers
  expect(first).toMatchObject({ status: 200, json: { promptId: 'backup' } })
  expect(new Set(answers.map(({ json }) => json?.['dismissedAt'])).size).toBe(1)
  expect((await dismiss('backup')).json).toEqual(first?.json)
  for (const unknown of [
    'payment',
    'BACKUP',
    'x'.repeat(64),
    'x'.repeat(65),
    '%00',
    encodeURIComponent("' or 1=1"),
  ])
    expect(await dismiss(unknown)).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST' } })
  await dismiss('subdomain')
  expect((await owner.get(owner.path)).json).toMatchObject({
    dismissedProfilePrompts: ['backup', 'subdomain'],
  })
})

test('an expired or revoked token reads nothing', async () => {
  const owner = await openAccount(service.url)
  await owner.send('POST', '/v1/logout')
  expect((await owner.get(owner.path)).status).toBe(401)
})
