import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { cacheExchange } from '@urql/exchange-graphcache'
import { Client, fetchExchange, subscriptionExchange } from '@urql/core'
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { createGraph } from '../../../../gateway/wallet/session/create-graph.ts'
import { ACCOUNT_EVENTS, HOME as SCREEN } from '../../../../gateway/wallet/session/documents.ts'
import type { HomeAnswer } from '../../../../gateway/wallet/session/answers.ts'
import { saveContact } from '../../../../schema/client/account/save-contact.ts'
import { openClient } from '../../../../schema/client/account/open-client.ts'
import type { Quote } from '../../../../schema/client/quotes/send.ts'
import { countStatements } from '../../../harness/count-statements.ts'
import { signUnchecked } from '../../../harness/sign-unchecked.ts'
import { subscribe } from '../../../harness/subscribe.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../../harness/chain-actors.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import { OWN_LIMITS } from '../../../relayer/account/open-account.ts'

type Wallet = Awaited<ReturnType<typeof openClient>>

let service: TestService
let payers: Payer[]

const openAccount = () =>
  openClient({
    url: service.url,
    // A network address of its own: one may sign in ten times a minute.
    headers: { 'x-forwarded-for': `10.${randomBytes(3).join('.')}` },
    spendKey: generatePrivateKey(),
    viewKey: generatePrivateKey(),
  })

beforeAll(async () => {
  service = await startTestService({
    ...OWN_LIMITS,
    devnet: { ports: [0, 0], deterministic: true, asp: false, chainIds: [31_337, 31_338], across: false },
    addresses: { freshPerWindow: 100 },
  })
  payers = [await openPayer(service, 7, 0), await openPayer(service, 7, 1)]
})
afterAll(() => service?.stop())

/** An account with this many addresses, each of them paid on both chains. */
async function openFundedAccount(addresses: number): Promise<Wallet> {
  const client = await openAccount()
  for (let place = 0; place < addresses; place += 1) {
    const { address } = await client.receive()
    await Promise.all(payers.map((payer) => payer.payNative(address, BigInt(place + 1))))
  }
  for (const payer of payers) await waitUntilIndexed(service, payer)
  return client
}

const WHOLE_ACCOUNT = `{
  viewer {
    account {
      balances { nodes { chainId token { symbol } available } totalUsdAmount }
      fundedAddresses { addresses { address balances { chainId amount } } }
      activities(first: 40) { edges { node { txHash amount token { symbol chain { name } } } } pageInfo { hasNextPage endCursor } }
      addresses(first: 20) { edges { node { address } } totalCount }
    }
  }
}`

interface WholeAccount {
  data: {
    viewer: {
      account: {
        balances: { nodes: { chainId: number; available: string }[] }
        fundedAddresses: { addresses: unknown[] }
        activities: { edges: unknown[]; pageInfo: { hasNextPage: boolean } }
        addresses: { totalCount: number }
      }
    }
  }
}

const readWhole = (client: Wallet) => client.ask<WholeAccount>('POST', '/graphql', { query: WHOLE_ACCOUNT })

test('fifty addresses on two chains cost as many statements as two', async () => {
  const [small, large] = [await openFundedAccount(2), await openFundedAccount(50)]
  const { data } = await readWhole(large)
  const { account } = data.viewer
  expect(account.balances.nodes.map(({ available }) => available)).toEqual(['1275', '1275'])
  expect(account.fundedAddresses.addresses).toHaveLength(50)
  expect(account.activities.edges).toHaveLength(40)
  expect(account.activities.pageInfo.hasNextPage).toBe(true)
  expect(account.addresses.totalCount).toBe(50)

  const ofSmall = await countStatements(() => readWhole(small))
  const ofLarge = await countStatements(() => readWhole(large))
  expect(ofSmall).toBeGreaterThan(4)
  expect(ofLarge).toBeLessThanOrEqual(ofSmall + 2)
  expect(ofLarge).toBeLessThanOrEqual(40)

  // A page with where all of it came from.
  const readPage = () =>
    large.ask<{ addresses: { balances: { provenance: object }[] }[] }>(
      'GET',
      `/v1/accounts/${large.accountId}/address-balances?limit=50`,
    )
  const { addresses } = await readPage()
  expect(addresses.flatMap(({ balances }) => balances)).toHaveLength(100)
  expect(addresses[0]?.balances[0]?.provenance).toMatchObject({ status: 'resolved' })
  expect(await countStatements(readPage)).toBeLessThanOrEqual(10)
})

const HOME = `{ viewer { id account { id
  balances(first: 50) { totalUsdAmount edges { node { id available token { id symbol } chain { id name } } } }
  activities(first: 20) { edges { node { id kind amount to token { id symbol } chain { id name } } } }
  contacts(first: 20) { edges { node { id name } } }
} } }`

interface Home {
  viewer: { account: { balances: { edges: { node: { id: string; available: string } }[] } } }
}

test('a normalizing cache keeps the home screen without keys, and shows what another query brings', async () => {
  const [payer] = payers as [Payer]
  const { token, accountId, receive } = await openAccount()
  const { address } = await receive()
  await payer.payNative(address, 3n)
  await waitUntilIndexed(service, payer)
  const warnings: string[] = []
  const urql = new Client({
    url: `${service.url}/graphql`,
    fetchOptions: { headers: { authorization: `Bearer ${token}` } },
    exchanges: [cacheExchange({ logger: (_, message) => void warnings.push(message) }), fetchExchange],
  })
  const readHome = async (requestPolicy: 'network-only' | 'cache-only') => {
    const { data, error } = await urql.query<Home>(HOME, {}, { requestPolicy }).toPromise()
    expect(error).toBeUndefined()
    return data!.viewer.account.balances.edges.map(({ node }) => node.available)
  }
  expect(await readHome('network-only')).toEqual(['3'])
  await payer.payNative(address, 4n)
  await waitUntilIndexed(service, payer)
  expect(await readHome('cache-only')).toEqual(['3'])
  const one = `{ account(accountId: "${accountId}") { id balance(chainId: 31337, token: "${zeroAddress}") { id available } } }`
  await urql.query(one, {}, { requestPolicy: 'network-only' }).toPromise()
  expect(await readHome('cache-only')).toEqual(['7'])
  expect(warnings).toEqual([])
})

const SCREENS = `fragment Screens on Account {
  id
  balances(first: 50) { edges { node { id available pending } } }
  contacts(first: 20) { edges { node { id name } } }
  review(first: 20) { edges { node { id reviewStatus } } }
}`
const CHANGES = {
  quote: `mutation ($id: UUID!, $input: QuoteRequestInput!) {
    createQuote(accountId: $id, input: $input) { quote { id } errors { message } account { ...Screens } } }`,
  skip: `mutation ($id: UUID!, $address: Address!, $input: NewReviewSkipInput!) {
    skipDepositReview(accountId: $id, address: $address, input: $input) { errors { message } account { ...Screens } } }`,
  delete: `mutation ($id: UUID!, $address: Address!) {
    deleteContact(accountId: $id, address: $address) { errors { message } account { ...Screens } } }`,
}

interface Screens {
  account: {
    balances: { edges: { node: { available: string; pending: string } }[] }
    contacts: { edges: { node: { name: string } }[] }
    review: { edges: { node: { reviewStatus: string } }[] }
  }
}

test('a normalizing cache is right after a quote, a skip and a deleted contact, by their payloads alone', async () => {
  const [payer] = payers as [Payer]
  const client = await openAccount()
  const { accountId: id, token } = client
  const { address } = await client.receive()
  const amount = 10n ** 17n
  await payer.payNative(address, amount)
  await waitUntilIndexed(service, payer)
  const friend = privateKeyToAddress(generatePrivateKey())
  await saveContact(client, friend, 'Friend')
  const warnings: string[] = []
  const urql = new Client({
    url: `${service.url}/graphql`,
    fetchOptions: { headers: { authorization: `Bearer ${token}` } },
    exchanges: [cacheExchange({ logger: (_, message) => void warnings.push(message) }), fetchExchange],
  })
  const look = async (requestPolicy: 'network-only' | 'cache-only') => {
    const query = `query ($id: UUID!) { account(accountId: $id) { ...Screens } } ${SCREENS}`
    const { data, error } = await urql.query<Screens>(query, { id }, { requestPolicy }).toPromise()
    expect(error).toBeUndefined()
    const { balances, contacts, review } = data!.account
    return {
      pending: balances.edges.map(({ node }) => BigInt(node.pending)),
      contacts: contacts.edges.map(({ node }) => node.name),
      review: review.edges.map(({ node }) => node.reviewStatus),
    }
  }
  const change = async (name: keyof typeof CHANGES, variables: Record<string, unknown>) => {
    const { data, error } = await urql
      .mutation<Record<string, { errors: unknown[] }>>(`${CHANGES[name]} ${SCREENS}`, { id, ...variables })
      .toPromise()
    expect([error, Object.values(data ?? {}).map(({ errors }) => errors)]).toEqual([undefined, [[]]])
  }
  expect(await look('network-only')).toEqual({
    pending: [0n],
    contacts: ['Friend'],
    review: ['needsReview'],
  })

  const send = {
    chainId: 31_337,
    token: zeroAddress,
    amount: String(amount / 10n),
    destinationAddress: friend,
  }
  await change('quote', { input: { send } })
  expect((await look('cache-only')).pending[0]).toBeGreaterThanOrEqual(amount / 10n)
  const { items } = await client.ask<{ items: { lastReceivedAt: string }[] }>(
    'GET',
    `/v1/accounts/${id}/deposit-review`,
  )
  await change('skip', { address, input: { rawReceiveCount: 1, lastReceivedAt: items[0]?.lastReceivedAt } })
  await change('delete', { address: friend })
  expect(await look('cache-only')).toMatchObject({ contacts: [], review: ['skipped'] })
  expect(warnings).toEqual([])
})

const MONEY = `fragment Money on Account {
  id
  balances(first: 50) { edges { node { id available pending } } }
  activities(first: 20) { edges { node { id kind state amount } } }
  pendingActivities { id kind state }
}`

interface Money {
  balances: { edges: { node: { available: string; pending: string } }[] }
  activities: { edges: { node: { id: string; kind: string; state: string } }[] }
  pendingActivities: { id: string; kind: string }[]
}

/** urql as it is: a normalizing cache without keys and without updates, and the account's events. */
function openUrql({ token, follow }: Wallet) {
  const warnings: string[] = []
  const leave = new AbortController()
  onTestFinished(() => leave.abort())
  const urql = new Client({
    url: `${service.url}/graphql`,
    fetchOptions: { headers: { authorization: `Bearer ${token}` } },
    exchanges: [
      cacheExchange({ logger: (_, message) => void warnings.push(message) }),
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe(sink) {
            const read = async () => {
              const events = follow<Record<string, unknown>>(query, variables ?? {}, leave.signal)
              for await (const data of events) sink.next({ data })
            }
            read().catch((error: unknown) => {
              if (!leave.signal.aborted) sink.error(error)
            })
            return { unsubscribe: () => leave.abort() }
          },
        }),
      }),
    ],
  })
  return { urql, warnings }
}

test('a normalizing cache is right after a receipt and a real send, by events and payloads alone', async () => {
  const [payer] = payers as [Payer]
  const client = await openAccount()
  const { accountId: id } = client
  const { address } = await client.receive()
  const { urql, warnings } = openUrql(client)
  const look = async (requestPolicy: 'network-only' | 'cache-only') => {
    const query = `query ($id: UUID!) { account(accountId: $id) { ...Money } } ${MONEY}`
    const { data } = await urql.query<{ account: Money }>(query, { id }, { requestPolicy }).toPromise()
    const { balances, activities, pendingActivities } = data!.account
    return {
      balances: balances.edges.map(({ node }) => node),
      activities: activities.edges.map(({ node }) => node),
      pending: pendingActivities,
    }
  }
  const shown = () => look('cache-only')
  expect(await look('network-only')).toEqual({ balances: [], activities: [], pending: [] })
  const started = Promise.withResolvers<void>()
  const events = urql
    .subscription(`subscription { accountEvents { cursor account { ...Money } } } ${MONEY}`, {})
    .subscribe(() => started.resolve())
  await started.promise

  const amount = 10n ** 17n
  await payer.payNative(address, amount)
  await expect.poll(shown, { timeout: 60_000 }).toMatchObject({
    balances: [{ available: String(amount), pending: '0' }],
    activities: [{ kind: 'RECEIVE', state: 'indexed', amount: String(amount) }],
  })

  const destinationAddress = privateKeyToAddress(generatePrivateKey())
  const send = { chainId: 31_337, token: zeroAddress, amount: String(amount / 10n), destinationAddress }
  const quoted = await urql
    .mutation<{ createQuote: { quote: { signedPayload: string } } }>(
      `mutation ($id: UUID!, $input: QuoteRequestInput!) {
        createQuote(accountId: $id, input: $input) { quote { id signedPayload } errors { message } } }`,
      { id, input: { send } },
    )
    .toPromise()
  const { quoteId, intents, delegations } = await signUnchecked(
    client,
    JSON.parse(quoted.data!.createQuote.quote.signedPayload) as Quote,
  )
  const input = {
    quoteId,
    intents: intents.map(({ eoa, signature }) => ({ eoa, signature })),
    delegations: delegations.map((one) => ({ address: one.address, signature: one.signature })),
  }
  const submitted = await urql
    .mutation<{ submitQuote: { errors: unknown[]; account: Money } }>(
      `mutation ($id: UUID!, $input: QuoteSignaturesInput!) {
        submitQuote(accountId: $id, input: $input) { errors { message } account { ...Money } } } ${MONEY}`,
      { id, input },
    )
    .toPromise()
  const { errors, account } = submitted.data!.submitQuote
  expect([errors, account.pendingActivities.map(({ kind }) => kind)]).toEqual([[], ['SEND']])
  const [pending] = account.pendingActivities

  await expect.poll(shown, { timeout: 60_000 }).toMatchObject({
    balances: [{ pending: '0' }],
    activities: [{ id: pending?.id, kind: 'SEND', state: 'indexed' }, { kind: 'RECEIVE' }],
  })
  const [balance] = (await shown()).balances
  expect(BigInt(balance!.available)).toBeLessThan(amount - amount / 10n)
  expect((await shown()).balances).toEqual((await look('network-only')).balances)
  events.unsubscribe()
  expect(warnings).toEqual([])
})

const APP = 'id origin displayName recognitionStatus verified'

test('apps are nodes of the account that they know an address of, in pages by their latest use', async () => {
  const client = await openAccount()
  const ask = async <Data>(query: string, of = client) =>
    (await of.ask<{ data: Data }>('POST', '/graphql', { query })).data
  const connect = async (origin: string) => {
    const answer = await ask<{ connectApp: { address: string; app: { id: string } } }>(
      `mutation { connectApp(accountId: "${client.accountId}", input: { origin: "${origin}" }) {
        address app { ${APP} } } }`,
    )
    return answer.connectApp
  }
  const [one, two] = [await connect('https://one.example'), await connect('https://two.example')]
  const page = (after: string) => `{ viewer { account { apps(first: 1${after}) {
    edges { cursor address lastUsedAt node { ${APP} } } pageInfo { hasNextPage } } } } }`
  interface Page {
    viewer: { account: { apps: { edges: { cursor: string }[] } } }
  }
  const { viewer } = await ask<Page>(page(''))
  const { edges } = viewer.account.apps
  expect(viewer.account.apps).toMatchObject({
    edges: [{ address: two.address, node: two.app, lastUsedAt: expect.any(String) }],
    pageInfo: { hasNextPage: true },
  })
  expect((await ask<Page>(page(`, after: "${edges[0]?.cursor}"`))).viewer.account.apps).toMatchObject({
    edges: [{ address: one.address, node: one.app }],
    pageInfo: { hasNextPage: false },
  })
  const again = `{ nodes(ids: ${JSON.stringify([one.app.id, two.app.id])}) { ... on App { ${APP} } } }`
  expect(await ask(again)).toEqual({ nodes: [one.app, two.app] })
  expect(await ask(again, await openAccount())).toEqual({ nodes: [null, null] })
})

const WHOLE_HOME = `{ viewer { id account { id
  balances { totalUsdAmount edges { node { id available pending token { id symbol decimals } chain { id name } } } }
  activities(first: 20) {
    edges { node { id kind state date amount to token { id symbol decimals } chain { id name } } }
    pageInfo { hasNextPage endCursor }
  }
  pendingActivities { id kind state amount }
  contacts(first: 20) { edges { node { id name } } }
} } }`

test('the home screen is one query of at most a dozen statements and five kilobytes', async () => {
  const client = await openFundedAccount(12)
  const ask = () =>
    fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${client.token}` },
      body: JSON.stringify({ query: WHOLE_HOME }),
    })
  const answer = await ask()
  expect(answer.headers.get('content-encoding')).toMatch(/^(br|gzip)$/)
  expect(await answer.json()).toMatchObject({
    data: { viewer: { account: { activities: { pageInfo: { hasNextPage: true } } } } },
  })
  expect(Number(answer.headers.get('content-length'))).toBeLessThan(5_000)
  expect(await countStatements(async () => (await ask()).text())).toBeLessThanOrEqual(12)
})

test("the wallet's screens ask again where an event overtakes an answer", async () => {
  const client = await openFundedAccount(1)
  const [payer] = payers as [Payer]
  const asked = Promise.withResolvers<void>()
  const heard = Promise.withResolvers<void>()
  // The answer is made before the payment, and arrives after its event.
  const late: Wallet = {
    ...client,
    async ask<Answer>(...request: Parameters<Wallet['ask']>) {
      const answer = await client.ask<Answer>(...request)
      asked.resolve()
      await heard.promise
      return answer
    },
  }
  const graph = createGraph(late)
  const events = graph.subscription(ACCOUNT_EVENTS, {}).subscribe(({ data }) => {
    const event = (data as { accountEvents?: { balance?: object } } | undefined)?.accountEvents
    if (event?.balance) heard.resolve()
  })
  const answer = graph.query<HomeAnswer>(SCREEN, { accountId: client.accountId }).toPromise()
  await asked.promise
  const { address } = await client.receive()
  await payer.payNative(address, 5n)
  const { data } = await answer
  events.unsubscribe()
  expect(data?.account?.balances.nodes.map(({ available }) => available)).toContain('6')
})

test("only an account's subscribers hear of its payments", async () => {
  const [payer] = payers as [Payer]
  const client = await openAccount()
  const { address } = await client.receive()
  const { accountId, token } = client
  const balances = await subscribe(
    service.url,
    `subscription { balanceChanged(accountId: "${accountId}") { chainId balance { balances { available } } } }`,
    token,
  )
  const added = await subscribe(
    service.url,
    `subscription { activityAdded(accountId: "${accountId}") { kind amount to } }`,
    token,
  )
  const stranger = await openAccount()
  const refused = await subscribe(
    service.url,
    `subscription { balanceChanged(accountId: "${accountId}") { chainId } }`,
    stranger.token,
  )
  expect(await refused.next()).toMatchObject({ errors: [{ extensions: { status: 403 } }] })

  await payer.payNative(address, 9n)
  expect(await added.next()).toEqual({
    data: { activityAdded: { kind: 'RECEIVE', amount: '9', to: address } },
  })
  expect(await balances.next()).toEqual({
    data: {
      balanceChanged: { chainId: 31_337, balance: { balances: [{ available: '9' }] } },
    },
  })
  balances.leave()
  added.leave()
})

test('subscribers to balances hear of transfers, but not of new addresses or empty transfers', async () => {
  const [payer] = payers as [Payer]
  const client = await openAccount()
  const { accountId, token } = client
  const balances = await subscribe(
    service.url,
    `subscription { balanceChanged(accountId: "${accountId}") { chainId balance { balances { available } } } }`,
    token,
  )
  const { address } = await client.receive()
  await client.receive()
  // Each chain looks for new addresses with a block.
  const unwatched = sql.type(z.object({ left: z.bigint() }))`
    select 4 - count(*) as left from watched_address join stealth_address using (address)
    where account_id = ${accountId}`
  await expect
    .poll(async () => {
      for (const { payNative } of payers) await payNative(privateKeyToAddress(generatePrivateKey()), 1n)
      return service.database.pool.oneFirst(unwatched)
    })
    .toBe(0n)
  await payer.payToken(payer.chain.tokens[0]!.address, address, 0n)
  await payer.payNative(address, 0n)
  await waitUntilIndexed(service, payer)
  await payer.payNative(address, 7n)
  expect(await balances.next()).toEqual({
    data: {
      balanceChanged: { chainId: 31_337, balance: { balances: [{ available: '7' }] } },
    },
  })
  balances.leave()
})

test('an account can have twenty subscribers, and a new one when one has left', async () => {
  const client = await openAccount()
  const follow = () =>
    subscribe(
      service.url,
      `subscription { balanceChanged(accountId: "${client.accountId}") { chainId } }`,
      client.token,
    )
  // Clients that get no stream take no place.
  const query = `subscription { balanceChanged(accountId: "${client.accountId}") { chainId } }`
  const ask = (method: string, accept: string) =>
    fetch(`${service.url}/graphql?query=${encodeURIComponent(query)}`, {
      method,
      headers: { accept, authorization: `Bearer ${client.token}` },
    })
  for (let count = 0; count < 20; count += 1) {
    expect((await ask('HEAD', 'text/event-stream')).status).toBe(200)
    const refused = await ask('GET', 'application/json')
    expect(refused.status).toBe(406)
    expect(await refused.json()).toMatchObject({
      errors: [{ message: expect.stringContaining('text/event-stream'), extensions: { status: 406 } }],
    })
  }

  const followers = []
  for (let count = 0; count < 20; count += 1) followers.push(await follow())
  expect(await (await follow()).next()).toMatchObject({
    errors: [{ extensions: { status: 429, retryAfter: 60 } }],
  })
  followers.pop()?.leave()
  await expect
    .poll(async () => {
      const one = await follow()
      const answer = await Promise.race([one.next(), sleep(200, 'listens')])
      if (answer === 'listens') followers.push(one)
      return answer
    })
    .toBe('listens')
  for (const follower of followers) follower.leave()
})

test('twenty streams of an account cost as many statements for a payment as one', async () => {
  const [payer] = payers as [Payer]
  const fields = [
    'balanceChanged(accountId: $id) { balance { balances { available } } }',
    'activityAdded(accountId: $id) { amount }',
  ]
  const countFor = async (streams: number) => {
    const client = await openAccount()
    const { address } = await client.receive()
    const { accountId, token } = client
    const followers: Awaited<ReturnType<typeof subscribe>>[] = []
    for (let place = 0; place < streams; place += 1)
      for (const field of fields)
        followers.push(
          await subscribe(
            service.url,
            `subscription { ${field.replace('$id', JSON.stringify(accountId))} }`,
            token,
          ),
        )
    await waitUntilIndexed(service, payer)
    const count = await countStatements(
      async () => {
        await payer.payNative(address, 1n)
        const heard = await Promise.all(followers.map((events) => events.next()))
        expect(heard.every((event) => event?.['data'])).toBe(true)
      },
      { about: accountId },
    )
    for (const events of followers) events.leave()
    return count
  }
  const ofOne = await countFor(1)
  expect(ofOne).toBeGreaterThan(0)
  expect(await countFor(10)).toBe(ofOne)
})
