import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { openAccount, signIn } from '../../relayer/account/open-account.ts'
import { post } from '../../harness/call.ts'
import { openAccountsGateway } from '../open-accounts-gateway.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const ask = async (url: string, query: string, headers: Record<string, string> = {}) =>
  (await post(`${url}/graphql`, { query }, headers)).json

it('the viewer leads to the account, with the same values as REST', async () => {
  const { url } = await openAccountsGateway(database)
  const owner = await openAccount(url)
  await owner.send('POST', `${owner.path}/payment-address`, {})
  const { json: profile } = await owner.get(owner.path)
  const { json: addresses } = await owner.get(`${owner.path}/addresses?limit=5`)
  const [{ address, nonce }] = addresses!['items'] as [{ address: string; nonce: string }]
  const answer = await ask(
    url,
    `{ viewer {
        authAddress accountId scopes keyAccessMethod
        account {
          accountId address createdAt lastConsumedNonce
          addresses(first: 5) { totalCount edges { node { address nonce } } }
          mine: addressOwnership(address: "${address}") { owned }
          contactEmail { email }
        }
    } }`,
    owner.headers,
  )
  expect(answer).toEqual({
    data: {
      viewer: {
        authAddress: owner.wallet.address,
        accountId: owner.accountId,
        scopes: ['read', 'write'],
        keyAccessMethod: 'wallet_pin',
        account: {
          accountId: owner.accountId,
          address: profile?.['address'],
          createdAt: profile?.['createdAt'],
          lastConsumedNonce: 0,
          addresses: { totalCount: 1, edges: [{ node: { address, nonce } }] },
          mine: { owned: true },
          contactEmail: { email: null },
        },
      },
    },
  })
})

it.each([{}, { authorization: 'Basic dTpw' }])('there is no viewer for %j', async (headers) => {
  const { url } = await openAccountsGateway(database)
  expect(await ask(url, '{ viewer { accountId } }', headers)).toEqual({ data: { viewer: null } })
})

it('a token that is not good is an error of the viewer, which is null', async () => {
  const { url } = await openAccountsGateway(database)
  expect(await ask(url, '{ viewer { accountId } }', { authorization: 'Bearer nonsense' })).toMatchObject({
    data: { viewer: null },
    errors: [{ path: ['viewer'], extensions: { status: 401, code: 'UNAUTHORIZED' } }],
  })
})

it('the viewer has no account before one is created', async () => {
  const { url } = await openAccountsGateway(database)
  const { headers } = await signIn(url)
  expect(await ask(url, '{ viewer { accountId account { accountId } } }', headers)).toEqual({
    data: { viewer: { accountId: null, account: null } },
  })
})

it('fields that succeed are answered beside fields that fail', async () => {
  const { url } = await openAccountsGateway(database)
  const [owner, other] = [await openAccount(url), await openAccount(url)]
  const answer = await ask(
    url,
    `{
      account(accountId: "${owner.accountId}") { accountId addressOwnership(address: "0x1") { owned } }
      theirs: account(accountId: "${other.accountId}") { accountId contactEmail { email } }
    }`,
    owner.headers,
  )
  expect(answer).toMatchObject({
    data: { account: { accountId: owner.accountId, addressOwnership: null }, theirs: null },
  })
  const errors = answer?.['errors'] as { path: string[] }[]
  expect(errors.toSorted((one, two) => one.path.length - two.path.length)).toMatchObject([
    { path: ['theirs'], extensions: { error: 'Forbidden', status: 403 } },
    { path: ['account', 'addressOwnership'], extensions: { status: 400, code: 'BAD_REQUEST' } },
  ])
})
