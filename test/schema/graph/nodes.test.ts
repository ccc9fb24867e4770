import { afterAll, beforeAll, expect, it } from 'vitest'
import { decodeGlobalId } from '../../../schema/graph/global-ids.ts'
import { openAccountsGateway } from '../../gateway/open-accounts-gateway.ts'
import { post } from '../../harness/call.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { openAccount } from '../../relayer/account/open-account.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

interface Viewer {
  account: { id: string; addresses: { nodes: { id: string; address: string }[] } }
}

interface Answer {
  data: { viewer: Viewer; nodes?: unknown; node?: unknown }
  errors?: { extensions: Record<string, unknown> }[]
}

const ask = async (url: string, query: string, headers: Record<string, string> = {}) =>
  (await post(`${url}/graphql`, { query }, headers)).json as unknown as Answer

const IDS = '{ viewer { id account { id accountId addresses { nodes { id address } } } } }'

it('an account and its addresses are found again by their ids, and those of others are not', async () => {
  const { url } = await openAccountsGateway(database)
  const [owner, other] = [await openAccount(url), await openAccount(url)]
  for (let count = 0; count < 2; count += 1) await owner.send('POST', `${owner.path}/payment-address`, {})
  const { viewer } = (await ask(url, IDS, owner.headers)).data
  const { nodes: items } = viewer.account.addresses
  const ids = [viewer.account.id, ...items.map(({ id }) => id)]
  const query = `{ nodes(ids: ${JSON.stringify(ids)}) { __typename id
    ... on Account { accountId } ... on StealthAddress { address } } }`
  expect((await ask(url, query, owner.headers)).data).toEqual({
    nodes: [
      { __typename: 'Account', id: ids[0], accountId: owner.accountId },
      ...items.map((item) => ({ __typename: 'StealthAddress', ...item })),
    ],
  })
  expect(await ask(url, query, other.headers)).toEqual({ data: { nodes: [null, null, null] } })
  expect(await ask(url, query)).toMatchObject({
    errors: expect.arrayContaining([
      expect.objectContaining({ extensions: expect.objectContaining({ code: 'UNAUTHORIZED' }) }),
    ]),
  })
})

it('two ids of one account have nothing in common, and no id can be made from what another shows', async () => {
  const { url } = await openAccountsGateway(database)
  const [owner, other] = [await openAccount(url), await openAccount(url)]
  for (let count = 0; count < 2; count += 1) await owner.send('POST', `${owner.path}/payment-address`, {})
  const { viewer } = (await ask(url, IDS, owner.headers)).data
  const [one, two] = viewer.account.addresses.nodes.map(({ id }) => decodeGlobalId(id).id) as [string, string]
  const tagOf = (id: string) => id.split('.')[1]
  expect(tagOf(one)).not.toBe(tagOf(two))
  for (const id of [one, two]) expect(id).not.toContain(owner.accountId)
  // The address of another account with the tag of the caller's own.
  const theirs = (await ask(url, IDS, other.headers)).data.viewer.account
  expect(theirs.addresses.nodes).toEqual([])
  const made = Buffer.from(`StealthAddress:${one.split('.')[0]}.${tagOf(two)}`).toString('base64url')
  expect((await ask(url, `{ node(id: "${made}") { id } }`, owner.headers)).data).toEqual({ node: null })
})

it.each(['nonsense', '', 'QWNjb3VudA', Buffer.from('Nothing:1').toString('base64url')])(
  'the id %j, which no answer has, is an error of its field',
  async (id) => {
    const { url } = await openAccountsGateway(database)
    const { headers } = await openAccount(url)
    expect(await ask(url, `{ node(id: "${id}") { id } viewer { id } }`, headers)).toMatchObject({
      data: { node: null, viewer: { id: expect.any(String) } },
      errors: [{ path: ['node'], extensions: { code: 'BAD_REQUEST', status: 400 } }],
    })
  },
)
