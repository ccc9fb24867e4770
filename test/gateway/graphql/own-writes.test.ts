import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, post } from '../../harness/call.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { openAccount, signIn, textOf } from '../../relayer/account/open-account.ts'
import { encryptFor } from '../../relayer/identity/wallet.ts'
import { openAccountsGateway } from '../open-accounts-gateway.ts'

let database: TestDatabase
let url: string

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const ask = async (query: string, headers: Record<string, string>, variables: object = {}) =>
  (await post(`${url}/graphql`, { query, variables }, headers)).json

it('each mutation of a document shows the account as it has left it', async () => {
  ;({ url } = await openAccountsGateway(database))
  const { accountId, headers } = await openAccount(url)
  const query = `mutation ($id: UUID!) {
    first: setCustomEnsName(accountId: $id, input: { encryptedCustomEnsName: "b25l" }) { ...State }
    second: setCustomEnsName(accountId: $id, input: { encryptedCustomEnsName: "dHdv" }) { ...State }
    third: dismissProfilePrompt(accountId: $id, promptId: "subdomain") { account { ...Members } }
    fourth: dismissProfilePrompt(accountId: $id, promptId: "backup") { account { ...Members } }
  }
  fragment State on SetCustomEnsNamePayload { account { ...Members } }
  fragment Members on Account { id encryptedCustomEnsName dismissedProfilePrompts }`
  const state = (name: string, prompts: string[]) => ({
    account: { encryptedCustomEnsName: name, dismissedProfilePrompts: prompts },
  })
  expect(await ask(query, headers, { id: accountId })).toMatchObject({
    data: {
      first: state('b25l', []),
      second: state('dHdv', []),
      third: state('dHdv', ['subdomain']),
      fourth: state('dHdv', ['subdomain', 'backup']),
    },
  })
})

it('the payload of a new account shows its viewer with the account, whose id finds it again', async () => {
  ;({ url } = await openAccountsGateway(database))
  const { wallet, headers } = await signIn(url)
  const key = await call(`${url}/v1/.well-known/hpke-public-key`)
  const input = await encryptFor(textOf(key, 'publicKey'), JSON.stringify(wallet.material))
  const query = `mutation ($input: NewAccountInput!) { createAccount(input: $input) {
    accountId errors { code } viewer { id accountId account { id accountId addresses { totalCount } } }
  } }`
  const answer = await ask(query, headers, { input })
  const { createAccount } = answer!['data'] as {
    createAccount: { accountId: string; viewer: { account: { id: string } } }
  }
  const { accountId, viewer } = createAccount
  expect(createAccount).toMatchObject({
    errors: [],
    viewer: { accountId, account: { accountId, addresses: { totalCount: 0 } } },
  })
  expect(await ask(`{ node(id: "${viewer.account.id}") { ... on Account { accountId } } }`, headers)).toEqual(
    {
      data: { node: { accountId } },
    },
  )
})

it('a mutation after a logout in one document has no rights any more', async () => {
  ;({ url } = await openAccountsGateway(database))
  const { accountId, headers } = await openAccount(url)
  const query = `mutation { logout { errors { code } }
    createPaymentAddress(accountId: "${accountId}") { address } }`
  expect(await ask(query, headers)).toMatchObject({
    data: { logout: { errors: [] }, createPaymentAddress: null },
    errors: [{ path: ['createPaymentAddress'], extensions: { code: 'UNAUTHORIZED' } }],
  })
})
