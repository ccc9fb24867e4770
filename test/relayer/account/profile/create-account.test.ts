import { randomUUID } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { numberToHex, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createApiKey } from '../../../../relayer/identity/api-keys.ts'
import { createVault } from '../../../../relayer/identity/create-vault.ts'
import { openMasterKeys } from '../../../../relayer/identity/open-master-keys.ts'
import { createInviteCodes } from '../../../../db/identity/invite-codes.ts'
import { sql } from '../../../../db/connect-database.ts'
import { post } from '../../../harness/call.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import { createWallet } from '../../identity/wallet.ts'
import { openAccount, OWN_LIMITS, signIn, textOf } from '../open-account.ts'

let service: TestService
let gated: TestService
beforeAll(async () => {
  service = await startTestService(OWN_LIMITS)
  gated = await startTestService({ ...OWN_LIMITS, accounts: { inviteRequired: true } })
})
afterAll(() => Promise.all([service?.stop(), gated?.stop()]))

const count = (where: TestService) =>
  where.database.pool.oneFirst(sql.type(z.object({ count: z.bigint() }))`select count(*) from account`)

test('an account is created once: the same key material again succeeds, other key material is a conflict', async () => {
  const owner = await signIn(service.url)
  const created = await owner.createAccount()
  expect(created.status).toBe(201)
  expect(created.json).toEqual({
    accountId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    alreadyExisted: false,
    referralApplied: false,
  })
  const again = await owner.createAccount()
  expect(again).toMatchObject({
    status: 201,
    json: { accountId: null, alreadyExisted: true, referralApplied: false },
  })
  const other = { ...owner.wallet.material, child_p_view: createWallet().material.child_p_view }
  expect(await owner.createAccount(other)).toMatchObject({ status: 409, json: { error: 'Conflict' } })
  // The token from before the account existed works for it, and so does a new one.
  const path = `/v1/accounts/${textOf(created, 'accountId')}`
  expect((await owner.get(path)).status).toBe(200)
  expect((await (await signIn(service.url, owner.wallet)).get(path)).status).toBe(200)
})

test('of simultaneous requests one creates the account', async () => {
  const wallet = createWallet()
  const owners = [await signIn(service.url, wallet), await signIn(service.url, wallet)]
  const before = await count(service)
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) => owners[index % 2]!.createAccount()),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(201))
  expect(answers.filter(({ json }) => json?.['alreadyExisted'] === false)).toHaveLength(1)
  expect(answers.filter(({ json }) => json?.['accountId'] !== null)).toHaveLength(1)
  expect(await count(service)).toBe(before + 1n)
})

test('of simultaneous requests with different key material one succeeds and the others conflict', async () => {
  const owner = await signIn(service.url)
  const answers = await Promise.all(
    Array.from({ length: 6 }, () =>
      owner.createAccount({ ...owner.wallet.material, child_p_view: createWallet().material.child_p_view }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    201, 409, 409, 409, 409, 409,
  ])
})

test('the path works without its slash, onboarding is stored, and unknown members are ignored', async () => {
  const owner = await signIn(service.url)
  const onboarding = { onboardingExperimentId: randomUUID(), experimentKey: 'welcome', variantKey: 'b' }
  const created = await owner.createAccount(undefined, {
    ...onboarding,
    referralCode: 'FRIEND',
    somethingNew: 1,
  })
  expect(created.json).toMatchObject({ alreadyExisted: false, referralApplied: false })
  const row = await service.database.pool.one(sql.type(z.record(z.string(), z.unknown()))`
    select onboarding_experiment_id as id, onboarding_experiment_key as key, onboarding_variant_key as variant,
      encode(sealed_keys, 'hex') as sealed
    from account where id = ${textOf(created, 'accountId')}`)
  expect(row).toMatchObject({ id: onboarding.onboardingExperimentId, key: 'welcome', variant: 'b' })
  for (const secret of Object.values(owner.wallet.material))
    expect(row['sealed']).not.toContain(secret.slice(2, 66))
  const plain = await post(`${service.url}/v1/accounts`, {}, owner.headers)
  expect(plain.status).toBe(400)
  expect(plain.json?.['message']).toContain('body.ciphertext')
})

describe('key material', () => {
  const { ORDER } = secp256k1.Point.Fn
  const flip = (point: Hex): Hex => `${point.slice(0, -1) as Hex}${point.endsWith('0') ? '1' : '0'}`
  const scalar = (value: bigint) => numberToHex(value, { size: 32 })

  test.each<[string, (material: { P_spend: Hex; P_view: Hex; child_p_view: Hex }) => unknown, RegExp]>([
    ['of another spending key', () => createWallet().material, /P_spend/],
    ['with P_spend off the curve', (own) => ({ ...own, P_spend: flip(own.P_spend) }), /P_spend.*curve/],
    ['with P_view off the curve', (own) => ({ ...own, P_view: flip(own.P_view) }), /P_view.*curve/],
    ['with P_spend at infinity', (own) => ({ ...own, P_spend: '0x00' }), /P_spend/],
    ['with P_spend of zeros', (own) => ({ ...own, P_spend: `0x04${'00'.repeat(64)}` }), /P_spend/],
    ['with P_spend compressed', (own) => ({ ...own, P_spend: `0x02${own.P_spend.slice(4, 68)}` }), /P_spend/],
    ['with a scalar of 0', (own) => ({ ...own, child_p_view: scalar(0n) }), /child_p_view/],
    ['with a scalar of n', (own) => ({ ...own, child_p_view: scalar(ORDER) }), /child_p_view/],
    ['with a scalar beyond n', (own) => ({ ...own, child_p_view: scalar(ORDER + 1n) }), /child_p_view/],
    ['with a short scalar', (own) => ({ ...own, child_p_view: '0x01' }), /child_p_view/],
    ['without P_view', ({ P_spend, child_p_view }) => ({ P_spend, child_p_view }), /P_view/],
    ['that is no JSON', () => 'not JSON', /JSON/],
    ['that is null', () => null, /.+/],
  ])('%s is refused, shown nowhere, and makes no account', async (_, change, message) => {
    const owner = await signIn(service.url)
    const before = await count(service)
    const answer = await owner.createAccount(change(owner.wallet.material))
    expect(answer).toMatchObject({ status: 400, json: { error: 'Bad request', code: 'BAD_REQUEST' } })
    expect(answer.json?.['message']).toMatch(message)
    expect(answer.text).not.toContain(owner.wallet.material.child_p_view.slice(2))
    expect(answer.text).not.toContain(owner.wallet.material.P_spend.slice(4, 40))
    expect(await count(service)).toBe(before)
  })

  test.each([
    ['nothing', {}],
    ['no text', { ciphertext: 1, encapsulatedKey: 2 }],
    ['no base64', { ciphertext: '***', encapsulatedKey: '***' }],
    [
      'what was encrypted for somebody else',
      { ciphertext: 'A'.repeat(400), encapsulatedKey: `${'A'.repeat(43)}=` },
    ],
    ['much too much', { ciphertext: 'A'.repeat(100_000), encapsulatedKey: 'AAAA' }],
    [
      'an experiment that is no uuid',
      { ciphertext: 'AAAA', encapsulatedKey: 'AAAA', onboardingExperimentId: 'x' },
    ],
    [
      'a label with what the database’s text cannot hold',
      { ciphertext: 'AAAA', encapsulatedKey: 'AAAA', variantKey: 'a\0b' },
    ],
  ])('%s is a bad request', async (_, body) => {
    const owner = await signIn(service.url)
    expect(await owner.send('POST', '/v1/accounts/', body)).toMatchObject({ status: 400 })
  })
})

test('without a token, and with an API key, no account is created', async () => {
  expect(await post(`${service.url}/v1/accounts/`, {})).toMatchObject({
    status: 401,
    json: { code: 'UNAUTHORIZED' },
  })
  const owner = await openAccount(service.url)
  const vault = createVault(openMasterKeys(undefined, service.dataDir))
  const key = await createApiKey(
    { database: service.database.pool, vault },
    { accountId: owner.accountId, label: 'test', scopes: ['read', 'write'], expiresAt: null },
  )
  const body = { ciphertext: 'AAAA', encapsulatedKey: 'AAAA' }
  const answer = await post(`${service.url}/v1/accounts/`, body, { authorization: `Bearer ${key?.token}` })
  expect(answer).toMatchObject({ status: 403, json: { error: 'Forbidden' } })
})

describe('access by invitation', () => {
  const invite = async () => {
    const code = randomUUID()
    await createInviteCodes(gated.database.pool, [{ id: randomUUID(), code, label: 'test', expiresAt: null }])
    return code
  }

  test('refuses a missing or wrong code and accepts a good one once', async () => {
    const [first, second] = [await signIn(gated.url), await signIn(gated.url)]
    expect(await first.createAccount()).toMatchObject({ status: 403 })
    expect(await first.createAccount(undefined, { inviteCode: 'nonsense' })).toMatchObject({ status: 403 })
    expect(await count(gated)).toBe(0n)
    const inviteCode = await invite()
    expect(await first.createAccount(undefined, { inviteCode })).toMatchObject({ status: 201 })
    expect(await second.createAccount(undefined, { inviteCode })).toMatchObject({ status: 403 })
    // An existing account needs no other code.
    expect(await first.createAccount()).toMatchObject({ status: 201, json: { alreadyExisted: true } })
  })

  test('lets one of two simultaneous users of a code in', async () => {
    const [first, second] = [await signIn(gated.url), await signIn(gated.url)]
    const inviteCode = await invite()
    const answers = await Promise.all([
      first.createAccount(undefined, { inviteCode }),
      second.createAccount(undefined, { inviteCode }),
    ])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 403])
  })

  test('does not use a code up in a failed attempt', async () => {
    const owner = await signIn(gated.url)
    const inviteCode = await invite()
    expect(await owner.createAccount(createWallet().material, { inviteCode })).toMatchObject({ status: 400 })
    // Two at once by one wallet: the second finds the account and uses no code.
    const answers = await Promise.all([
      owner.createAccount(undefined, { inviteCode }),
      owner.createAccount(undefined, { inviteCode: await invite() }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    const unused = await gated.database.pool.oneFirst(sql.type(z.object({ count: z.bigint() }))`
      select count(*) from invite_code where consumed_at is null`)
    expect(unused).toBe(1n)
  })
})
