import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '../../harness/call.ts'
import { runCli } from '../../harness/run-cli.ts'
import { startTestService, type TestService } from '../../harness/start-service.ts'
import { openAccount, OWN_LIMITS, signIn } from '../../relayer/account/open-account.ts'
import { followCommand } from './follow-command.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(OWN_LIMITS)
})
afterAll(() => service?.stop())

const environment = () => ({ DATABASE_URL: service.database.url, DATA_DIR: service.dataDir })
const admin = (...args: string[]) => runCli('gateway/admin/main.ts', args, environment())
const follow = (...args: string[]) => followCommand(args, service.database.pool, environment())

it('the operator can export and delete an account while the service runs, and its owner can start again', async () => {
  const owner = await openAccount(service.url)
  await owner.send('PUT', `${owner.path}/contact-email`, { email: 'owner@example.org' })
  await owner.send('POST', `${owner.path}/subdomain`, { subdomain: 'leaving-soon' })
  const { json } = await owner.send('POST', `${owner.path}/payment-address`, {})

  const exported = await admin('account', 'export', owner.accountId)
  expect(exported).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(exported.stdout)).toMatchObject({
    accountId: owner.accountId,
    contactEmail: 'owner@example.org',
    tables: {
      account: [{ auth_address: owner.wallet.address }],
      stealth_address: [{ address: json?.['address'], derivation_nonce: '0' }],
      subdomain: [{ name: 'leaving-soon' }],
    },
  })
  expect(exported.stdout).not.toContain('sealed')
  expect(exported.stdout).not.toContain(owner.wallet.material.child_p_view.slice(2))

  expect(await follow('account', 'delete', owner.accountId)).toEqual({
    refusal: null,
    printed: [`Account ${owner.accountId} is deleted`],
  })
  expect((await owner.get(owner.path)).status).toBe(403)
  const again = await signIn(service.url, owner.wallet)
  expect((await again.get(owner.path)).status).toBe(403)
  const created = await again.createAccount()
  expect(created).toMatchObject({ status: 201, json: { alreadyExisted: false } })
  expect(created.json?.['accountId']).not.toBe(owner.accountId)
  const path = `/v1/accounts/${String(created.json?.['accountId'])}`
  expect((await again.get(path)).json).toMatchObject({ subdomain: null, lastConsumedNonce: null })
  expect((await again.send('POST', `${path}/subdomain`, { subdomain: 'leaving-soon' })).status).toBe(409)
})

it('the commands say so when there is no such account', async () => {
  for (const verb of ['export', 'delete'])
    expect(await follow('account', verb, randomUUID())).toMatchObject({
      refusal: { name: 'AdminError', message: expect.stringContaining('There is no account') },
      printed: [],
    })
})

it('the operator can reserve a name for an invite code', async () => {
  expect(await follow('name', 'reserve', 'Vitalik', '--code', 'GOOD-CODE')).toEqual({
    refusal: null,
    printed: ['The name vitalik is reserved for that code'],
  })
  const check = (code: string) => call(`${service.url}/v1/subdomain/check?name=vitalik&inviteCode=${code}`)
  expect((await check('good%20code')).json).toEqual({ available: true })
  expect((await check('other-code')).json).toEqual({ available: false, reason: 'blocked' })
  const owner = await openAccount(service.url)
  const claim = { subdomain: 'vitalik', inviteCode: 'good code' }
  expect((await owner.send('POST', `${owner.path}/subdomain`, claim)).status).toBe(200)
  for (const args of [
    ['vitalik', '--code', 'GOOD-CODE'],
    ['xn--n3h', '--code', 'GOOD-CODE'],
    ['somebody'],
    ['somebody', '--code', ''],
  ])
    expect(await follow('name', 'reserve', ...args)).toMatchObject({
      refusal: { name: 'AdminError' },
      printed: [],
    })
})
