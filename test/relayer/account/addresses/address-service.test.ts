import { randomBytes } from 'node:crypto'
import { bytesToHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import { graphql, post } from '../../../harness/call.ts'
import { runConcurrently } from '../../../harness/relay-requests.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import { openAccount, OWN_LIMITS, textOf } from '../open-account.ts'

let service: TestService
beforeAll(async () => {
  // A thousand at once exceed the default limits if a slow machine has all of them in flight.
  service = await startTestService({
    http: {
      ...OWN_LIMITS.http,
      maxInFlight: 2_000,
      maxInFlightPerClient: 2_000,
      maxConnectionsPerClient: 2_000,
    },
  })
})
afterAll(() => service?.stop())

type Owner = Awaited<ReturnType<typeof openAccount>>
const receive = (owner: Owner, headers = {}) =>
  post(`${service.url}${owner.path}/payment-address`, {}, { ...owner.headers, ...headers })

async function openWithAddresses(count: number): Promise<{ owner: Owner; addresses: string[] }> {
  const owner = await openAccount(service.url)
  const addresses: string[] = []
  for (let index = 0; index < count; index += 1) addresses.push(textOf(await receive(owner), 'address'))
  return { owner, addresses }
}

test('a payment address has exactly the members of the contract', async () => {
  const owner = await openAccount(service.url)
  const { status, json } = await receive(owner)
  expect(status).toBe(201)
  expect(json).toEqual({
    address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    nonce: '0',
    reused: false,
    limitResetsAt: null,
  })
  const bare = await fetch(`${service.url}${owner.path}/payment-address`, {
    method: 'POST',
    headers: owner.headers,
  })
  expect(bare.status).toBe(201)
  expect(await bare.json()).toMatchObject({ nonce: '1' })
})

test('a thousand requests at once get a thousand addresses without a gap', async () => {
  const owner = await openAccount(service.url)
  const nonces = new Set<unknown>()
  const addresses = new Set<unknown>()
  await runConcurrently(Array.from({ length: 1_000 }), 1_000, async () => {
    const { status, json } = await receive(owner)
    expect({ status, reused: json?.['reused'] }).toEqual({ status: 201, reused: false })
    nonces.add(json?.['nonce'])
    addresses.add(json?.['address'])
  })
  expect(addresses.size).toBe(1_000)
  expect(nonces).toEqual(new Set(Array.from({ length: 1_000 }, (_, index) => String(index))))
})

test('an Idempotency-Key gets the same address again', async () => {
  const [owner, other] = [await openAccount(service.url), await openAccount(service.url)]
  const key = { 'idempotency-key': 'receive-1' }
  const answers = await Promise.all(Array.from({ length: 5 }, () => receive(owner, key)))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect((await receive(owner)).json).toMatchObject({ nonce: '1' })
  expect((await receive(other, key)).json?.['address']).not.toBe(answers[0]?.json?.['address'])
})

test('addresses are listed page by page, each once, also while others are created', async () => {
  const { owner, addresses } = await openWithAddresses(7)
  const seen: unknown[] = []
  let cursor: string | null = null
  do {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const answer = await owner.get(`${owner.path}/addresses?limit=3${query}`)
    expect(answer.status).toBe(200)
    const { items, nextCursor, total } = JSON.parse(answer.text)
    seen.push(...items.map(({ address }: { address: string }) => address))
    cursor = nextCursor
    if (seen.length === 3) {
      expect(total).toBe(7)
      addresses.push(textOf(await receive(owner), 'address'))
    }
  } while (cursor !== null)
  expect(seen).toEqual(addresses)
})

test('an item has exactly the members of the contract, a summary only on request', async () => {
  const { owner, addresses } = await openWithAddresses(1)
  const item = {
    generationContext: 'external',
    address: addresses[0],
    nonce: 0,
    createdAt: expect.stringMatching(/Z$/),
    hasActivity: false,
    activityCount: 0,
    hasPendingActivity: false,
    hasBalance: false,
  }
  const plain = await owner.get(`${owner.path}/addresses`)
  const page = { total: 1, nextCursor: null, checkedChainIds: expect.any(Array) }
  expect(plain.json).toEqual({ items: [item], ...page })
  const summary = { balances: [], totalUsdBalance: 0, usedApps: [] }
  const full = await owner.get(`${owner.path}/addresses?includeSummary=true`)
  expect(full.json).toEqual({ items: [{ ...item, summary }], ...page })
})

test('addresses show their activity and can be filtered by it', async () => {
  const { owner, addresses } = await openWithAddresses(4)
  const [paid = '', funded = '', shown = '', idle = ''] = addresses
  const { pool } = service.database
  const hash = () => bytesToHex(randomBytes(32))
  await pool.query(sql.typeAlias('void')`
    insert into address_tx (address, chain_id, tx_hash, block_number, block_time, tx_index)
    values (${paid}, 1, ${hash()}, 1, now(), 0), (${paid}, 10, ${hash()}, 1, now(), 0)`)
  await pool.query(sql.typeAlias('void')`
    insert into holding (chain_id, address, standard, token, amount, stale, as_of_number, as_of_hash)
    values (31337, ${funded}, 'native', ${zeroAddress}, 500000000000000000, false, 1, ${hash()})`)
  await pool.query(sql.typeAlias('void')`
    insert into dapp_use (account_id, address, origin) values (${owner.accountId}, ${shown}, 'https://app.example')`)
  const list = async (query: string) => {
    const { json } = await owner.get(`${owner.path}/addresses?${query}`)
    const items = json?.['items'] as { address: string }[]
    expect(json?.['total']).toBe(items.length)
    return items.map(({ address }) => address)
  }
  expect(await list('activity=used')).toEqual([paid, funded])
  expect(await list('activity=unused')).toEqual([shown, idle])
  expect(await list('activity=all')).toEqual(addresses)
  expect(await list('hasBalance=true')).toEqual([funded])
  expect(await list('hasBalance=false')).toEqual([paid, shown, idle])
  expect(await list('usedWithApps=true')).toEqual([shown])
  expect(await list('usedWithApps=false&activity=unused')).toEqual([idle])
  expect(await list(`address=${paid.toLowerCase()}`)).toEqual([paid])
  expect(await list(`address=${owner.wallet.address}`)).toEqual([])

  const { json } = await owner.get(`${owner.path}/addresses?includeSummary=true`)
  expect(json?.['items']).toMatchObject([
    { hasActivity: true, activityCount: 2, hasBalance: false },
    {
      hasActivity: true,
      activityCount: 0,
      hasBalance: true,
      summary: {
        balances: [
          {
            chainId: 31_337,
            token: zeroAddress,
            amount: '500000000000000000',
            tokenSymbol: 'ETH',
            usdAmount: 1_500,
          },
        ],
        totalUsdBalance: 1_500,
      },
    },
    { summary: { usedApps: [{ origin: 'https://app.example', displayName: 'app.example', iconUrl: null }] } },
    { hasActivity: false },
  ])
  const uses = await owner.get(`${owner.path}/dapp-addresses?paginateBy=address&limit=1`)
  expect(uses.json).toEqual({
    items: [
      {
        address: shown,
        app: { origin: 'https://app.example', displayName: 'app.example', iconUrl: null },
        lastUsedAt: expect.stringMatching(/Z$/),
      },
    ],
    hasMore: false,
  })
  expect((await owner.get(`${owner.path}/dapp-addresses?offset=1`)).json).toEqual({
    items: [],
    hasMore: false,
  })
})

test("ownership is only reported for the account's own addresses", async () => {
  const { owner, addresses } = await openWithAddresses(1)
  const other = await openWithAddresses(1)
  const ask = async (address: string) =>
    (await owner.get(`${owner.path}/address-ownership?address=${address}`)).json
  const [own = '', theirs = ''] = [addresses[0], other.addresses[0]]
  expect(await ask(own)).toEqual({ owned: true })
  expect(await ask(own.toLowerCase())).toEqual({ owned: true })
  expect(await ask(theirs)).toEqual({ owned: false })
  expect(await ask(owner.wallet.address)).toEqual({ owned: false })
})

test.each([
  'addresses?limit=0',
  'addresses?limit=501',
  'addresses?limit=1.5',
  'addresses?limit=many',
  'addresses?cursor=x',
  'addresses?cursor=',
  `addresses?cursor=${Buffer.from('after -1').toString('base64url')}`,
  `addresses?cursor=${Buffer.from('after 99999999999999999999').toString('base64url')}`,
  `addresses?cursor=${'A'.repeat(200)}`,
  'addresses?address=0x12',
  'addresses?hasBalance=perhaps',
  'addresses?limit=1&limit=2',
  'dapp-addresses?limit=-1',
  'dapp-addresses?offset=-1',
  'address-ownership',
  'address-ownership?address=nobody.eth',
  'address-ownership?address=0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2a',
])('%s is a bad request', async (query) => {
  const owner = await openAccount(service.url)
  const answer = await owner.get(`${owner.path}/${query}`)
  expect(answer).toMatchObject({ status: 400, json: { error: 'Bad request', code: 'BAD_REQUEST' } })
})

test('lists are limited to 60 a minute', async () => {
  const owner = await openAccount(service.url)
  const statuses = []
  for (let index = 0; index < 61; index += 1)
    statuses.push((await owner.get(`${owner.path}/addresses`)).status)
  expect(statuses.slice(0, 60)).toEqual(Array(60).fill(200))
  expect(statuses[60]).toBe(429)
})

test('GraphQL answers the same as REST', async () => {
  const { owner, addresses } = await openWithAddresses(1)
  const query = `query ($id: UUID!) { addresses(accountId: $id) { items { address nonce } total } }`
  const { json } = await post(
    `${service.url}/graphql`,
    { query, variables: { id: owner.accountId } },
    owner.headers,
  )
  expect(json).toEqual({ data: { addresses: { items: [{ address: addresses[0], nonce: 0 }], total: 1 } } })
  const mutation = `mutation ($id: UUID!) { createPaymentAddress(accountId: $id) { nonce reused } }`
  const made = await post(
    `${service.url}/graphql`,
    { query: mutation, variables: { id: owner.accountId } },
    owner.headers,
  )
  expect(made.json).toEqual({ data: { createPaymentAddress: { nonce: '1', reused: false } } })
  expect((await graphql(service.url, query, { id: owner.accountId })).errors).toHaveLength(1)
})
