import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { openAccount } from '../../relayer/account/open-account.ts'
import { call, post } from '../../harness/call.ts'
import { openAccountsGateway } from '../open-accounts-gateway.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

async function open() {
  const { url } = await openAccountsGateway(database)
  const owner = await openAccount(url)
  const byRest = (key: string | null, body: unknown = {}) =>
    call(`${url}${owner.path}/payment-address`, {
      method: 'POST',
      body,
      headers: { ...owner.headers, ...(key !== null && { 'idempotency-key': key }) },
    })
  const byGraphql = async (key: string) => {
    const query = `mutation ($id: UUID!, $key: String) {
      createPaymentAddress(accountId: $id, idempotencyKey: $key) { address nonce reused limitResetsAt }
    }`
    const variables = { id: owner.accountId, key }
    return (await post(`${url}/graphql`, { query, variables }, owner.headers)).json
  }
  return { url, owner, byRest, byGraphql }
}

it('a repeated key gets the same answer by REST and GraphQL', async () => {
  const { byRest, byGraphql } = await open()
  const first = await byRest('a')
  expect(first.status).toBe(201)
  expect(await byRest('a')).toMatchObject({ status: 201, text: first.text })
  expect(await byGraphql('a')).toEqual({ data: { createPaymentAddress: first.json } })
  const other = await byGraphql('b')
  expect(other).toMatchObject({ data: { createPaymentAddress: { nonce: '1' } } })
  expect((await byRest('b')).json).toEqual(
    (other!['data'] as Record<string, unknown>)['createPaymentAddress'],
  )
  expect((await byRest(null)).json).toMatchObject({ nonce: '2' })
})

it('twenty simultaneous requests with one key get one address', async () => {
  const { byRest } = await open()
  const answers = await Promise.all(Array.from({ length: 20 }, () => byRest('same')))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect((await byRest('next')).json).toMatchObject({ nonce: '1' })
})

it.each(['', 'x'.repeat(256)])('a key of wrong length is refused by REST and GraphQL (%#)', async (key) => {
  const { byRest, byGraphql } = await open()
  expect(await byRest(key)).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST' } })
  expect(await byGraphql(key)).toMatchObject({
    errors: [{ extensions: { status: 400, code: 'BAD_REQUEST' } }],
  })
  expect((await byRest('y'.repeat(255))).json).toMatchObject({ nonce: '0' })
})

it('GraphQL ignores the header, since a request may hold several mutations', async () => {
  const { url, owner } = await open()
  const field = `createPaymentAddress(accountId: "${owner.accountId}") { nonce }`
  const headers = { ...owner.headers, 'idempotency-key': 'header' }
  const answer = await post(`${url}/graphql`, { query: `mutation { a: ${field} b: ${field} }` }, headers)
  expect(answer.json).toEqual({ data: { a: { nonce: '0' }, b: { nonce: '1' } } })
})
