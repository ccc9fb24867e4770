import { randomUUID } from 'node:crypto'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contactMessage } from '../../../relayer/account/address-book/contact-message.ts'
import { reserveSubdomain } from '../../../db/account/subdomains/subdomains.ts'
import { operations } from '../../../schema/features.ts'
import { parseRest } from '../../../schema/define/operation.ts'
import { call, graphql, post } from '../../harness/call.ts'
import { startTestService, type TestService } from '../../harness/start-service.ts'
import { seedQuote } from './seed-quote.ts'
import { openAccount, OWN_LIMITS, signIn } from './open-account.ts'

type Owner = Awaited<ReturnType<typeof openAccount>>

let service: TestService
beforeAll(async () => {
  service = await startTestService({
    ...OWN_LIMITS,
    referrals: { referrerShareBps: 3_000, referredDiscountBps: 700, minimumRewardUsdCents: 2 },
  })
})
afterAll(() => service?.stop())

const publicGet = (path: string) => call(`${service.url}${path}`)
const someone = () => privateKeyToAddress(generatePrivateKey())

async function signContact(
  owner: Owner,
  contact: { address: `0x${string}`; name: string; issuedAt?: string },
) {
  const issuedAt = contact.issuedAt ?? new Date().toISOString()
  const message = contactMessage({ accountId: owner.accountId, issuedAt, ...contact })
  const signature = await owner.wallet.sign(message)
  return { name: contact.name, issuedAt, signature }
}

describe('names', () => {
  it('are checked, claimed once, shown in the profile and suggested', async () => {
    const owner = await openAccount(service.url)
    expect((await publicGet('/v1/subdomain/check?name=Satoshi')).json).toEqual({ available: true })
    const claimed = await owner.send('POST', `${owner.path}/subdomain`, { subdomain: 'Satoshi' })
    expect(claimed).toMatchObject({
      status: 200,
      json: { success: true, message: expect.any(String), subdomain: 'satoshi' },
    })
    const taken = { available: false, reason: 'taken' }
    expect((await publicGet('/v1/subdomain/check?name=ｓatoshi')).json).toEqual(taken)
    expect((await publicGet('/v1/subdomain/check?name=support')).json).toEqual({
      ...taken,
      reason: 'blocked',
    })
    expect((await owner.get(owner.path)).json).toMatchObject({
      subdomain: 'satoshi',
      activationOfferClaimExpiresAt: expect.stringMatching(/^\d{4}-/),
    })
    expect(await owner.send('POST', `${owner.path}/subdomain`, { subdomain: 'other' })).toMatchObject({
      status: 409,
      json: { error: 'Conflict' },
    })
    const suggested = await owner.get(`${owner.path}/subdomain/generate`)
    const name = String(suggested.json?.['subdomain'])
    expect((await publicGet(`/v1/subdomain/check?name=${name}`)).json).toEqual({ available: true })
  })

  it('go to one of two accounts that claim them simultaneously', async () => {
    const owners = await Promise.all([openAccount(service.url), openAccount(service.url)])
    const answers = await Promise.all(
      owners.map((owner) => owner.send('POST', `${owner.path}/subdomain`, { subdomain: 'hal-finney' })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
  })

  it('that are reserved for an invite code go to the account created with it', async () => {
    await reserveSubdomain(service.database.pool, 'nick-szabo', 'NAME-CODE')
    const check = '/v1/subdomain/check?name=nick-szabo'
    expect((await publicGet(check)).json).toEqual({ available: false, reason: 'blocked' })
    expect((await publicGet(`${check}&inviteCode=name-code`)).json).toEqual({ available: true })
    const other = await openAccount(service.url)
    const claim = { subdomain: 'nick-szabo' }
    expect((await other.send('POST', `${other.path}/subdomain`, claim)).status).toBe(409)
    const invited = await signIn(service.url)
    const created = await invited.createAccount(undefined, { inviteCode: 'name code' })
    const path = `/v1/accounts/${String(created.json?.['accountId'])}`
    expect((await invited.send('POST', `${path}/subdomain`, claim)).status).toBe(200)
  })

  it.each([
    '',
    '?name=',
    '?name=ab',
    '?name=xn--n3h',
    '?name=%D0%B0lice',
    `?name=${'a'.repeat(300)}`,
    '?name=a&name=b',
  ])('are not checked for %j', async (query) => {
    expect(await publicGet(`/v1/subdomain/check${query}`)).toMatchObject({
      status: 400,
      json: { error: 'Bad request', code: 'BAD_REQUEST' },
    })
  })
})

describe('referrals', () => {
  const terms = {
    referrerShareBps: 3_000,
    referredDiscountBps: 700,
    earningDurationDays: 365,
    minimumRewardUsdCents: 2,
  }

  it('are found, applied when an account is created, counted and ended', async () => {
    expect((await publicGet('/v1/referrals/availability')).json).toEqual({ available: true })
    const referrer = await openAccount(service.url)
    const profile = await referrer.send('POST', `${referrer.path}/referrals/profile`)
    expect(profile).toMatchObject({ status: 200, json: { code: expect.any(String), ...terms } })
    const code = String(profile.json?.['code'])
    expect((await publicGet(`/v1/referrals/${code}/preview`)).json).toEqual({ referrerName: null, ...terms })
    expect((await publicGet('/v1/referrals/by-name/adam-back/resolve')).status).toBe(404)
    const early = await signIn(service.url)
    const brought = await early.createAccount(undefined, { referralCode: code })
    // A text in an attribution, null in previews alone.
    expect(
      (await early.get(`/v1/accounts/${String(brought.json?.['accountId'])}/referrals/attribution`)).json,
    ).toMatchObject({ referrerName: '', status: 'active' })
    await referrer.send('POST', `${referrer.path}/subdomain`, { subdomain: 'adam-back' })
    const found = { code, referrerName: 'adam-back', ...terms }
    expect((await publicGet('/v1/referrals/by-name/adam-back/resolve')).json).toEqual(found)
    // The devnet's parent name.
    expect((await publicGet('/v1/referrals/by-name/adam-back.stealth.eth/resolve')).json).toEqual(found)

    const referred = await signIn(service.url)
    const created = await referred.createAccount(undefined, { referralCode: code.toLowerCase() })
    expect(created.json).toMatchObject({ alreadyExisted: false, referralApplied: true })
    const path = `/v1/accounts/${String(created.json?.['accountId'])}/referrals/attribution`
    const attribution = await referred.get(path)
    expect(attribution).toMatchObject({
      status: 200,
      json: {
        referrerName: 'adam-back',
        referrerShareBps: 3_000,
        referredDiscountBps: 700,
        minimumRewardUsdCents: 2,
        earningStartsAt: expect.any(String),
        earningEndsAt: expect.any(String),
        revokedAt: null,
        status: 'active',
      },
    })
    const summary = () => referrer.get(`${referrer.path}/referrals/summary`)
    const counts = { totalReferrals: 2, activeReferrals: 2, totalEarnedUsd: '0.00' }
    expect((await summary()).json).toEqual(counts)
    const ended = await referred.send('DELETE', path)
    expect(ended.json).toMatchObject({ status: 'revoked', revokedAt: expect.any(String) })
    expect((await referred.send('DELETE', path)).json).toEqual(ended.json)
    expect((await summary()).json).toEqual({ ...counts, activeReferrals: 1 })
  })

  it('with an unknown code still create the account', async () => {
    const owner = await signIn(service.url)
    const created = await owner.createAccount(undefined, { referralCode: '0000000000' })
    expect(created).toMatchObject({ status: 201, json: { referralApplied: false } })
    const path = `/v1/accounts/${String(created.json?.['accountId'])}/referrals/attribution`
    expect((await owner.get(path)).status).toBe(404)
    expect((await owner.send('DELETE', path)).status).toBe(404)
  })

  it.each([
    '/v1/referrals/nobody/preview',
    '/v1/referrals/by-name/%E2%80%8D/resolve',
    '/v1/referrals/%00/preview',
  ])('are not found by %s', async (path) => expect((await publicGet(path)).status).toBe(404))
})

describe('the address book', () => {
  it('saves, lists and deletes contacts, and knows own addresses', async () => {
    const owner = await openAccount(service.url)
    const book = `${owner.path}/address-book`
    const address = someone()
    const body = await signContact(owner, { address, name: 'Alice 👩‍🚀' })
    const saved = await owner.send('PUT', `${book}/${address.toLowerCase()}`, body)
    const entry = {
      address,
      name: 'Alice 👩‍🚀',
      lastUsedAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    }
    expect(saved).toMatchObject({ status: 200 })
    expect(saved.json).toEqual({ entry })
    expect((await owner.get(book)).json).toEqual({ entries: [entry] })
    expect((await owner.send('DELETE', `${book}/${address}`)).json).toEqual({ deleted: true })
    expect((await owner.send('DELETE', `${book}/${address}`)).json).toEqual({ deleted: false })
    expect(await owner.send('PUT', `${book}/${address}`, body)).toMatchObject({
      status: 400,
      json: { code: 'CONTACT_SIGNATURE_OUTDATED' },
    })

    const issued = await owner.send('POST', `${owner.path}/payment-address`, {})
    const own = String(issued.json?.['address'])
    expect((await owner.get(`${book}/ownership/${own.toLowerCase()}`)).json).toEqual({ isOwnAddress: true })
    expect((await owner.get(`${book}/ownership/${address}`)).json).toEqual({ isOwnAddress: false })
    const other = await openAccount(service.url)
    expect((await other.get(`${other.path}/address-book/ownership/${own}`)).json).toEqual({
      isOwnAddress: false,
    })
  })

  it.each([
    ['a line feed', 'Alice\nAddress: 0x00'],
    ['a null', 'Al\0ice'],
    ['a right-to-left override', 'Alice\u202egpj'],
    ['a zero-width space', 'Ali\u200bce'],
    ['a joiner between letters', 'Ali\u200dce'],
    ['a line separator', 'Alice\u2028'],
    ['a blank in front', ' Alice'],
    ['only blanks', '   '],
    ['nothing', ''],
    ['65 characters', 'ä'.repeat(65)],
    ['a lone surrogate', 'Alice\ud83d'],
  ])('refuses a name with %s', async (_, name) => {
    const owner = await openAccount(service.url)
    const address = someone()
    const body = await signContact(owner, { address, name })
    expect(await owner.send('PUT', `${owner.path}/address-book/${address}`, body)).toMatchObject({
      status: 400,
      json: { code: 'BAD_REQUEST' },
    })
  })

  it('refuses a contact without a valid signature, time or address', async () => {
    const owner = await openAccount(service.url)
    const address = someone()
    const body = await signContact(owner, { address, name: 'Alice' })
    const put = (at: string, change: object) =>
      owner.send('PUT', `${owner.path}/address-book/${at}`, { ...body, ...change })
    for (const change of [
      { signature: `${body.signature}00` },
      { signature: undefined },
      { issuedAt: '2026-01-01' },
      { issuedAt: 'now' },
      { issuedAt: `2026-01-01T00:00:00.${'0'.repeat(60)}Z` },
      { name: 7 },
    ])
      expect(await put(address, change)).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST' } })
    expect((await put('0x1234', {})).status).toBe(400)
    expect(await put(address, { name: 'Mallory' })).toMatchObject({
      status: 400,
      json: { code: 'CONTACT_SIGNATURE_INVALID' },
    })
  })
})

describe('notes and tags', () => {
  it('are set, listed by page and cleared', async () => {
    const owner = await openAccount(service.url)
    const notes = `${owner.path}/activity-notes`
    const newQuote = () => seedQuote(service.database.pool, owner.accountId)
    const quoteIds = [await newQuote(), await newQuote(), await newQuote()]
    const references = quoteIds.map((quoteId) => ({ type: 'quote', quoteId }))
    for (const reference of references) {
      const put = await owner.send('PUT', notes, { reference, notePayloadCiphertext: 'c2VjcmV0' })
      expect(put).toMatchObject({ status: 200 })
      expect(put.json).toEqual({
        note: { reference, notePayloadCiphertext: 'c2VjcmV0', notePayloadUpdatedAt: expect.any(String) },
      })
    }
    const first = await owner.get(`${notes}?limit=2`)
    const { nextCursor } = (first.json ?? {})['pagination'] as { nextCursor: string }
    const second = await owner.get(`${notes}?limit=2&cursor=${nextCursor}`)
    expect(second.json).toMatchObject({ pagination: { limit: 2, nextCursor: null } })
    const listed = [first, second].flatMap(({ json }) => json?.['notes'] as { reference: object }[])
    expect(listed.map(({ reference }) => reference)).toEqual(references.toReversed())
    for (const notePayloadCiphertext of [null, ''])
      expect(
        (await owner.send('PUT', notes, { reference: references[0], notePayloadCiphertext })).json,
      ).toEqual({
        note: { reference: references[0], notePayloadCiphertext: null, notePayloadUpdatedAt: null },
      })
    expect((await owner.get(notes)).json?.['notes']).toHaveLength(2)
  })

  it('are limited in size and number', async () => {
    const owner = await openAccount(service.url)
    const quoteId = await seedQuote(service.database.pool, owner.accountId)
    const reference = { type: 'quote', quoteId }
    const put = (change: object) =>
      owner.send('PUT', `${owner.path}/activity-notes`, {
        reference,
        notePayloadCiphertext: 'eA==',
        ...change,
      })
    expect((await put({ notePayloadCiphertext: 'A'.repeat(8_192) })).status).toBe(200)
    for (const change of [
      { notePayloadCiphertext: 'A'.repeat(8_193) },
      { notePayloadCiphertext: 'not base64!' },
      { notePayloadCiphertext: '=' },
      { notePayloadCiphertext: undefined },
      { reference: { ...reference, quoteId: 'x' } },
      { reference: { ...reference, type: '' } },
      { reference: { ...reference, type: 'a'.repeat(33) } },
      { reference: { ...reference, type: 'quote\u0000' } },
      { reference: undefined },
    ])
      expect(await put(change)).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST' } })
    const unknown = { reference: { ...reference, quoteId: randomUUID() } }
    expect(await put(unknown)).toMatchObject({ status: 404, json: { error: 'Not found' } })
    for (const query of ['limit=0', 'limit=501', 'limit=x', 'cursor=x', `cursor=${'x'.repeat(501)}`])
      expect((await owner.get(`${owner.path}/activity-notes?${query}`)).status).toBe(400)
  })

  it("accept the account's own addresses only", async () => {
    const owner = await openAccount(service.url)
    const tags = `${owner.path}/provenance-address-tags`
    const address = String((await owner.send('POST', `${owner.path}/payment-address`, {})).json?.['address'])
    const put = await owner.send('PUT', `${tags}/${address.toLowerCase()}`, {
      tagPayloadCiphertext: 'dGFn',
      labelKey: 'a-label_of+somebody/',
    })
    const tag = {
      address,
      tagPayloadCiphertext: 'dGFn',
      labelKey: 'a-label_of+somebody/',
      tagPayloadUpdatedAt: expect.any(String),
    }
    expect(put.json).toEqual({ tag })
    expect((await owner.get(tags)).json).toEqual({ tags: [tag] })
    const foreign = { status: 404, json: { error: 'Not found' } }
    for (const labelKey of ['short', 'A'.repeat(129), 'no base64 at all'])
      expect(
        await owner.send('PUT', `${tags}/${address}`, { tagPayloadCiphertext: 'dGFn', labelKey }),
      ).toMatchObject({ status: 400 })
    const body = { tagPayloadCiphertext: 'dGFn' }
    expect(await owner.send('PUT', `${tags}/${someone()}`, body)).toMatchObject(foreign)
    const other = await openAccount(service.url)
    const theirs = `${other.path}/provenance-address-tags/${address}`
    expect(await other.send('PUT', theirs, body)).toMatchObject(foreign)
    await owner.send('PUT', `${tags}/${address}`, { tagPayloadCiphertext: null })
    expect((await owner.get(tags)).json).toEqual({ tags: [] })
  })
})

const own = new Set(['Names', 'Referrals', 'Address book', 'Notes'])
const guarded = operations.filter(({ section, access }) => own.has(section) && access === 'bearer')

describe.each(guarded.map((operation) => [operation.rest, operation] as const))('%s', (_, operation) => {
  const { method, path } = parseRest(operation)
  const at = (accountId: string) => path.replace('{accountId}', accountId).replace('{address}', someone())
  const body = method === 'PUT' || method === 'POST' ? {} : undefined

  it('requires a token of the account', async () => {
    const [owner, stranger] = [await openAccount(service.url), await openAccount(service.url)]
    const refused = operation.foreignAccount ? 404 : 403
    expect((await call(service.url + at(owner.accountId), { method, body })).status).toBe(401)
    expect((await stranger.send(method, at(owner.accountId), body)).status).toBe(refused)
    expect((await stranger.send(method, at(randomUUID()), body)).status).toBe(refused)
    expect((await stranger.send(method, at('x'), body)).status).toBe(refused)
  })
})

it('limits count per account', async () => {
  const owner = await openAccount(service.url)
  const path = `${owner.path}/address-book`
  const answers = await Promise.all(Array.from({ length: 63 }, () => owner.get(path)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
  expect(answers.find(({ status }) => status === 429)?.json).toMatchObject({
    error: 'Too Many Requests',
    message: 'Rate limit exceeded. Maximum 60 requests per 1 minute.',
  })
  const other = await openAccount(service.url)
  expect((await other.get(`${other.path}/address-book`)).status).toBe(200)
})

it('GraphQL answers the same as REST', async () => {
  const { data } = await graphql(service.url, '{ subdomainCheck(name: "support") { available reason } }')
  expect(data).toEqual({ subdomainCheck: { available: false, reason: 'blocked' } })
  const owner = await openAccount(service.url)
  const query = `mutation { openReferralProfile(accountId: "${owner.accountId}") { code referrerShareBps } }`
  const { json } = await post(`${service.url}/graphql`, { query }, owner.headers)
  expect(json?.['data']).toMatchObject({ openReferralProfile: { referrerShareBps: 3_000 } })
})
