import { createPublicClient, getAddress, http, zeroAddress, type Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deriveAccounts } from '../../../devnet/accounts.ts'
import {
  addTokenBody,
  accountToken,
  popularTokens,
  token,
  tokenCatalog,
  tokenList,
} from '../../../../schema/market/tokens/model.ts'
import { call } from '../../../harness/call.ts'
import { openPayer } from '../../../harness/chain-actors.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import {
  openAccount,
  OWN_LIMITS,
  signIn,
  textOf,
  type SignedIn,
} from '../../../relayer/account/open-account.ts'
import { compileSolidity } from '../../../relayer/market/tokens/compile-solidity.ts'
import {
  startPriceProvider,
  type PriceProvider,
} from '../../../relayer/market/prices/start-price-provider.ts'

const CHAIN = 31_337
let service: TestService
let provider: PriceProvider
let owner: SignedIn & { path: string; accountId: string }
let dollar: Address

beforeAll(async () => {
  provider = await startPriceProvider([
    { id: 'ethereum', symbol: 'eth', name: 'Ethereum', platforms: {}, usd: '3100.25', updatedAt: seconds() },
  ])
  const platforms = { [CHAIN]: { platform: 'devnet', nativeId: 'ethereum' } }
  service = await startTestService({
    ...OWN_LIMITS,
    prices: {
      sources: [{ kind: 'coingecko', url: provider.url, requestsPerMinute: 10_000, platforms }],
      refreshMs: 1_000,
      marketRefreshMs: 1_000,
    },
  })
  dollar =
    service.parts.chains[0]?.relayer?.assets.find(({ symbol }) => symbol === 'TUSD')?.asset ?? zeroAddress
  owner = await openAccount(service.url)
})
afterAll(async () => {
  await service?.stop()
  await provider?.stop()
})

const seconds = () => Math.floor(Date.now() / 1_000)
const get = (path: string) => call(`${service.url}${path}`)

/** Puts a contract of HostileTokens.sol on the devnet. */
async function deploy(name: string, ...args: unknown[]): Promise<Address> {
  const source = new URL('../../../relayer/market/tokens/HostileTokens.sol', import.meta.url)
  const contract = compileSolidity(source)[name]
  if (!contract) throw new Error(`there is no ${name}`)
  const { encodeDeployData, parseGwei } = await import('viem')
  const account = privateKeyToAccount(deriveAccounts().clients[5]!.privateKey)
  const client = createPublicClient({
    transport: http(service.parts.chains[0]?.rpcUrls[0]),
    pollingInterval: 50,
  })
  const serializedTransaction = await account.signTransaction({
    data: encodeDeployData({ ...contract, args }),
    nonce: await client.getTransactionCount({ address: account.address }),
    chainId: CHAIN,
    gas: 3_000_000n,
    maxFeePerGas: parseGwei('20'),
    maxPriorityFeePerGas: parseGwei('1'),
    type: 'eip1559',
  })
  const hash = await client.sendRawTransaction({ serializedTransaction })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  return getAddress(contractAddress ?? zeroAddress)
}

describe('GET /v1/token-catalog', () => {
  it('has the devnet’s own tokens, the native coin as the zero address', async () => {
    const { status, json } = await get(`/v1/token-catalog?chainId=${CHAIN}`)
    expect(status).toBe(200)
    const catalog = tokenCatalog.parse(json)
    expect(catalog.tokens).toMatchObject([
      { symbol: 'ETH', address: zeroAddress, decimals: 18, visibility: 'verified', chainId: CHAIN },
      { symbol: 'TEUR', name: 'Test Euro' },
      { symbol: 'TUSD', address: dollar, decimals: 6, name: 'Test Dollar' },
    ])
    expect(catalog).toMatchObject({ pinnedSymbols: ['ETH'], testnetToMainnet: {}, nextCursor: null })
    expect(catalog.tokens[0]).not.toHaveProperty('market')
  })

  it('searches, pages, and adds the included parts', async () => {
    const first = await get('/v1/token-catalog?q=t&limit=1&include=sources')
    const page = tokenCatalog.parse(first.json)
    expect(page.tokens.map(({ symbol, sources }) => [symbol, sources?.[0]?.source])).toEqual([
      ['TEUR', 'configuration'],
    ])
    const second = await get(`/v1/token-catalog?q=t&limit=1&cursor=${page.nextCursor}`)
    expect(tokenCatalog.parse(second.json).tokens.map(({ symbol }) => symbol)).toEqual(['TUSD'])
  })

  it('accepts lists split at commas, repeated, or both', async () => {
    for (const include of ['include=market,sources', 'include=market&include=sources']) {
      const { status, json } = await get(`/v1/token-catalog?chainId=${CHAIN}&${include}`)
      expect([include, status]).toEqual([include, 200])
      for (const each of tokenCatalog.parse(json).tokens)
        expect(Object.keys(each)).toEqual(expect.arrayContaining(['market', 'sources']))
    }
    expect(await get('/v1/token-catalog?include=market,sources&include=market')).toMatchObject({
      status: 400,
      json: { code: 'BAD_REQUEST' },
    })
  })

  it.each([
    'limit=0',
    'limit=1001',
    'limit=x',
    'cursor=x',
    'include=secrets',
    'chainId=-1',
    `q=${'x'.repeat(101)}`,
  ])('refuses %s', async (query) => {
    expect(await get(`/v1/token-catalog?${query}`)).toMatchObject({
      status: 400,
      json: { error: 'Bad request', code: 'BAD_REQUEST' },
    })
  })
})

describe('GET /v1/tokens/popular', () => {
  it('is empty without a source, and requires a chain', async () => {
    const { status, json } = await get(`/v1/tokens/popular?chainId=424242`)
    expect([status, popularTokens.parse(json).tokens]).toEqual([200, []])
    expect(await get('/v1/tokens/popular')).toMatchObject({ status: 400 })
  })

  it("returns the provider's trending list, once it was asked", async () => {
    provider.trending = ['nothing-we-have', 'ethereum']
    const { json } = await untilTrending(async () => {
      const answer = await get(`/v1/tokens/popular?chainId=${CHAIN}`)
      return { ...popularTokens.parse(answer.json), json: answer.json }
    })
    expect(json).toMatchObject({
      source: 'trending',
      tokens: [{ symbol: 'ETH' }],
    })
    // No price was observed hours ago: unknown members are left out, for these are no null.
    expect(json).not.toHaveProperty('tokens[0].change6h')
  })
})

/** The rounds of asking run by themselves. */
async function untilTrending<Answer extends { source: string; tokens: unknown[] }>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer.source === 'trending' && answer.tokens.length > 0) return answer
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

describe('GET /v1/token-lookup', () => {
  const lookup = (address: string, more = '') =>
    owner.get(`/v1/token-lookup?chainId=${CHAIN}&address=${address}${more}`)

  it('reads an unknown token from its contract, and remembers it', async () => {
    const address = await deploy('Plain', 'QZX', 'Quiet Zebra', 9, 1_000n)
    const { status, json } = await lookup(address, '&include=sources,market')
    expect(status).toBe(200)
    const found = token.parse(json)
    expect(found).toMatchObject({
      address,
      symbol: 'QZX',
      name: 'Quiet Zebra',
      decimals: 9,
      visibility: 'unlisted',
      metadataSource: 'chain',
      market: null,
      sources: [{ source: 'chain', symbol: 'QZX', decimals: 9 }],
    })
    const again = token.parse((await lookup(address.toLowerCase(), '&include=sources')).json)
    expect(again.sources).toEqual(found.sources)
    expect((await get('/v1/token-catalog?q=QZX')).json).toMatchObject({ tokens: [] })
  })

  it('does not reveal that dust was sent to two addresses of one account', async () => {
    const dust = [
      await deploy('Plain', 'DSTA', 'Dust one', 6, 9n),
      await deploy('Plain', 'DSTB', 'Dust two', 6, 9n),
    ]
    const victim = await openAccount(service.url)
    const payer = await openPayer(service, 5)
    for (const one of dust) {
      const issued = await victim.send('POST', `${victim.path}/payment-address`, {})
      await payer.payToken(one, textOf(issued, 'address') as Address, 1n)
    }
    await expect
      .poll(async () => (await victim.get(`${victim.path}/balance/${CHAIN}`)).text)
      .toMatch(/DSTA[^]*DSTB|DSTB[^]*DSTA/)
    const unheard = await deploy('Plain', 'DSTC', 'Dust three', 6, 9n)
    const sourcesOf = async (address: Address) =>
      token.parse((await lookup(address, '&include=sources,market')).json)
    const [one, two, three] = [await sourcesOf(dust[0]!), await sourcesOf(dust[1]!), await sourcesOf(unheard)]
    const timesOf = ({ sources }: typeof one) =>
      sources?.map(({ source, firstSeenAt, lastSeenAt }) => ({ source, firstSeenAt, lastSeenAt }))
    expect(timesOf(one)).toEqual(timesOf(three))
    expect(timesOf(two)).toEqual(timesOf(three))
    for (const found of [one, two, three])
      expect(found).toMatchObject({ market: null, visibility: 'unlisted' })
    for (const { address } of [one, two])
      expect((await get(`/v1/token-catalog?q=${address}`)).json).toMatchObject({ tokens: [] })
  })

  it("uses a provider's additions, except decimals", async () => {
    const address = await deploy('Plain', 'prov', 'Provided on chain', 9, 1_000n)
    provider.coins = [
      ...provider.coins,
      {
        id: 'provided',
        symbol: 'prov',
        name: 'Provided',
        platforms: { devnet: address.toLowerCase() },
        decimals: 18,
        usd: '2',
      },
    ]
    expect((await lookup(address)).json).toMatchObject({
      symbol: 'prov',
      name: 'Provided',
      decimals: 9,
      metadataSource: 'provider',
      logoURI: 'https://provider.example/s.png',
    })
  })

  it('hides imitations, and shows no hidden characters', async () => {
    const address = await deploy('Plain', 'TUS\u202eD', 'Claim at www.prize.xyz\u0000\u200b', 6, 1n)
    expect((await lookup(address)).json).toMatchObject({
      symbol: 'TUSD',
      name: 'Claim at www.prize.xyz',
      visibility: 'hidden',
    })
  })

  it('knows the native coin by both of its names', async () => {
    for (const address of [zeroAddress, '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'])
      expect((await lookup(address)).json).toMatchObject({ symbol: 'ETH', address: zeroAddress })
  })

  it('answers 404 for no token, 400 for invalid input and 401 without a token', async () => {
    const missing = await lookup(`0x${'12'.repeat(20)}`)
    expect(missing).toMatchObject({ status: 404, json: { error: 'Not found' } })
    expect(await lookup(await deploy('InvalidBomb'))).toMatchObject({ status: 404 })
    expect(await lookup('0x12')).toMatchObject({ status: 400 })
    expect(await owner.get(`/v1/token-lookup?chainId=1&address=${dollar}`)).toMatchObject({
      status: 400,
      json: { code: 'CHAIN_NOT_SUPPORTED' },
    })
    expect(await get(`/v1/token-lookup?chainId=${CHAIN}&address=${dollar}`)).toMatchObject({ status: 401 })
  })
})

describe('the tokens of an account', () => {
  it('are those it added, in that order, each once', async () => {
    const someone = await openAccount(service.url)
    expect(tokenList.parse((await someone.get(`${someone.path}/tokens`)).json)).toEqual({ tokens: [] })
    const zebra = await deploy('Plain', 'QZY', 'Quieter Zebra', 18, 1_000n)
    for (const address of [dollar, zebra, dollar]) {
      const added = await someone.send(
        'POST',
        `${someone.path}/tokens`,
        addTokenBody.parse({ chainId: CHAIN, address }),
      )
      expect(added.status).toBe(200)
      expect(token.parse(added.json).address).toBe(address)
    }
    const { tokens } = tokenList.parse((await someone.get(`${someone.path}/tokens?include=sources`)).json)
    expect(tokens.map(({ symbol }) => symbol)).toEqual(['TUSD', 'QZY'])
    expect(tokens.every(({ sources }) => sources && sources.length > 0)).toBe(true)
  })

  it('are added ten times a minute at most, and neither spam nor nonexistent ones', async () => {
    const someone = await openAccount(service.url)
    const add = (body: unknown) => someone.send('POST', `${someone.path}/tokens`, body)
    const fake = await deploy('Plain', 'TUSD', 'Test Dollar', 6, 1_000n)
    expect(await add({ chainId: CHAIN, address: fake })).toMatchObject({ status: 403 })
    expect(await add({ chainId: CHAIN, address: `0x${'13'.repeat(20)}` })).toMatchObject({ status: 404 })
    expect(await add({ chainId: 1, address: dollar })).toMatchObject({ status: 400 })
    // Unknown members are accepted, except in the relayer's bodies.
    expect(await add({ chainId: CHAIN, address: dollar, extra: 1 })).toMatchObject({ status: 200 })
    expect(await add({ chainId: String(CHAIN), address: dollar })).toMatchObject({ status: 400 })
    for (let index = 5; index < 10; index += 1)
      expect(await add({ chainId: CHAIN, address: dollar })).toMatchObject({ status: 200 })
    expect(await add({ chainId: CHAIN, address: dollar })).toMatchObject({
      status: 429,
      json: { message: 'Rate limit exceeded. Maximum 10 requests per 1 minute.' },
    })
  })

  it('have balances and prices', async () => {
    const read = async () => {
      const answer = await owner.get(`${owner.path}/tokens/${CHAIN}/${zeroAddress}`)
      expect(answer.status).toBe(200)
      return accountToken.parse(answer.json).balance
    }
    let balance = await read()
    // The first round of questions may still be pending: until then the chain's own price holds.
    while (balance.pricePerToken === 3_000) balance = await read()
    expect(balance).toMatchObject({
      chainId: CHAIN,
      chainName: 'Devnet 31337',
      token: zeroAddress,
      tokenSymbol: 'ETH',
      decimals: 18,
      visible: { available: 0n, pending: 0n },
      usdAmount: 0,
      pricePerToken: 3_100.25,
      priceStale: false,
      spam: false,
    })
    const answer = await owner.get(`${owner.path}/tokens/${CHAIN}/${dollar}`)
    expect(answer.json).toMatchObject({ balance: { pricePerToken: 1, visible: { available: '0' } } })
  })

  it('are closed to other accounts', async () => {
    const other = await signIn(service.url)
    expect(await other.get(`${owner.path}/tokens`)).toMatchObject({ status: 404 })
    expect(await other.get(`${owner.path}/tokens/${CHAIN}/${dollar}`)).toMatchObject({ status: 403 })
    expect(
      await other.send('POST', `${owner.path}/tokens`, { chainId: CHAIN, address: dollar }),
    ).toMatchObject({ status: 403 })
    expect(await get(`${owner.path}/tokens`)).toMatchObject({ status: 401 })
  })

  it.each([
    [`/tokens/${CHAIN}/0x12`, 400],
    ['/tokens/x/0x0000000000000000000000000000000000000000', 400],
    ['/tokens/424242/0x0000000000000000000000000000000000000000', 404],
    [`/tokens/${CHAIN}/0x${'14'.repeat(20)}`, 404],
  ])('answer %s with %d', async (path, status) => {
    expect(await owner.get(`${owner.path}${path}`)).toMatchObject({ status })
  })
})

it('GraphQL answers the same as REST', async () => {
  const query = `{
    supportedChains { chainId isTestnet }
    tokenCatalog(q: "tusd", limit: 1, include: [sources]) {
      tokens { symbol visibility metadataSource sources { source } }
      testnetToMainnet
    }
    tokenLookup(chainId: ${CHAIN}, address: "${dollar}") { symbol decimals }
    accountToken(accountId: "${owner.accountId}", chainId: ${CHAIN}, address: "${dollar}") {
      balance { pricePerToken available token { symbol chain { chainId } } }
    }
  }`
  const answer = await owner.send('POST', '/graphql', { query })
  expect(answer.json).toEqual({
    data: {
      supportedChains: [{ chainId: CHAIN, isTestnet: true }],
      tokenCatalog: {
        tokens: [
          {
            symbol: 'TUSD',
            visibility: 'verified',
            metadataSource: 'configuration',
            sources: [{ source: 'configuration' }],
          },
        ],
        testnetToMainnet: {},
      },
      tokenLookup: { symbol: 'TUSD', decimals: 6 },
      accountToken: {
        balance: { pricePerToken: '1', available: '0', token: { symbol: 'TUSD', chain: { chainId: CHAIN } } },
      },
    },
  })
})

it('the price provider learns tokens and nothing else', async () => {
  await owner.get(`${owner.path}/tokens/${CHAIN}/${dollar}`)
  const asked = provider.take().map(({ path, params }) => `${path}?${params}`)
  expect(asked.length).toBeGreaterThan(0)
  expect(
    asked.filter((text) => text.includes(owner.accountId) || text.includes(owner.wallet.address)),
  ).toEqual([])
})
