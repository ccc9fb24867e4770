import { pino } from 'pino'
import { getAddress, type Address } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import { addAccountToken } from '../../../../db/market/tokens/account-tokens.ts'
import { recordTokenSources } from '../../../../db/market/tokens/token-sources.ts'
import { tokensConfig } from '../../../../relayer/market/tokens/config.ts'
import { createTokens, type OpenTokens } from '../../../../relayer/market/tokens/create-tokens.ts'
import { tokenIdOf } from '../../../../relayer/market/tokens/token-id.ts'
import type { Markets } from '../../../../relayer/market/tokens/token-provider.ts'
import { createWatchedTokens } from '../../../../relayer/market/watchlist/watch-tokens.ts'
import { createCoingeckoClient } from '../../../../relayer/market/prices/coingecko/ask-coingecko.ts'
import { createCoingeckoTokens } from '../../../../relayer/market/prices/coingecko/describe-token.ts'
import { pricesConfig, type CoingeckoConfig } from '../../../../relayer/market/prices/config.ts'
import { createMarkets } from '../../../../relayer/market/prices/create-markets.ts'
import { forClient } from '../../../../relayer/shares/client.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { startDoor, type Door } from '../../../harness/start-door.ts'
import { seedAccount } from '../../account/seed-account.ts'
import { startPriceProvider, type PriceProvider } from '../prices/start-price-provider.ts'
import { openChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { configOf, startTokenWorld, type TokenWorld } from './start-token-world.ts'

const CHAIN = 31_337
const logger = pino({ level: 'silent' })
const nothing = new Set<never>()
let world: TokenWorld
let door: Door
let database: TestDatabase
let provider: PriceProvider
let tokens: OpenTokens

beforeAll(async () => {
  world = await startTokenWorld()
  door = await startDoor(world.node.url)
  provider = await startPriceProvider()
  database = await openTestDatabase()
  tokens = await open()
})
afterAll(async () => {
  await door?.close()
  await world?.stop()
  await provider?.stop()
  await database?.drop()
})
beforeEach(() => {
  provider.answerWith(null)
  door.open()
  provider.take()
})

function open(members: Record<string, unknown> = {}): Promise<OpenTokens> {
  const chain = openChain(configOf(door.url), logger)
  const prices = pricesConfig.parse({
    sources: [
      {
        kind: 'coingecko',
        url: provider.url,
        requestsPerMinute: 10_000,
        platforms: { [CHAIN]: { platform: 'devnet' } },
      },
    ],
  })
  const source = prices.sources[0] as CoingeckoConfig
  const markets: Markets = createMarkets({
    database: database.pool,
    config: prices,
    provider: null,
    chainIds: [CHAIN],
    watched: async () => [],
    recognise: async () => {},
    logger,
  })
  return createTokens({
    database: database.pool,
    chains: new Map([[CHAIN, chain]]),
    config: tokensConfig.parse({ readTimeoutMs: 2_000, ...members }),
    named: new Set(),
    markets,
    providers: [createCoingeckoTokens(createCoingeckoClient(source), source)],
    logger,
  })
}

const idOf = (address: string) => tokenIdOf(CHAIN, getAddress(address))
const keyOf = (address: Address) => `${CHAIN}:${address}` as const

describe('a lookup', () => {
  it('asks once for simultaneous requests, and not again while the answer is fresh', async () => {
    const id = idOf(await world.deploy('Plain', 'ONE', 'First of many', 6, 1n))
    const found = await Promise.all(Array.from({ length: 10 }, () => tokens.lookup(id, nothing)))
    expect(new Set(found.map(({ token }) => token.symbol))).toEqual(new Set(['ONE']))
    await tokens.lookup(id, nothing)
    expect(provider.take()).toHaveLength(1)
  })

  it('asks again when the answer is old, and retains the time of the first one', async () => {
    const id = idOf(await world.deploy('Plain', 'TWO', 'Second', 6, 1n))
    const [before] = (await tokens.lookup(id, new Set(['sources']))).sources ?? []
    await database.pool.query(sql.typeAlias('void')`
      update token_source set last_seen_at = now() - interval '30 days' where address = ${id.address}`)
    const [after] = (await tokens.lookup(id, new Set(['sources']))).sources ?? []
    expect(provider.take()).toHaveLength(2)
    expect(after?.firstSeenAt).toEqual(before?.firstSeenAt)
    expect(after?.lastSeenAt.getTime()).toBeGreaterThanOrEqual(before?.lastSeenAt.getTime() ?? Infinity)
  })

  it('works without the provider when that fails', async () => {
    provider.answerWith((response) => response.writeHead(500).end())
    const id = idOf(await world.deploy('Plain', 'THREE', 'Third', 6, 1n))
    // A provider of its own: the pause that it then asks for is not the others' matter.
    expect((await (await open()).lookup(id, nothing)).token).toMatchObject({
      symbol: 'THREE',
      metadataSource: 'chain',
    })
  })

  it("uses the provider's or the stored answer while the chain is silent", async () => {
    const address = await world.deploy('Plain', 'FOUR', 'Fourth', 6, 1n)
    door.shut('all')
    await expect(tokens.lookup(idOf(address), nothing)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'TOKEN_METADATA_UNAVAILABLE',
    })
    provider.coins = [
      {
        id: 'four',
        symbol: 'four',
        name: 'Fourth',
        platforms: { devnet: address.toLowerCase() },
        decimals: 6,
      },
    ]
    expect((await tokens.lookup(idOf(address), nothing)).token).toMatchObject({
      symbol: 'FOUR',
      decimals: 6,
      metadataSource: 'provider',
    })
    provider.coins = []
    expect((await tokens.lookup(idOf(address), nothing)).token).toMatchObject({ symbol: 'FOUR' })
  })

  it('of something that is no token is not repeated for a while', async () => {
    const id = idOf('0x00000000000000000000000000000000000000bb')
    const fresh = await open()
    for (let attempt = 0; attempt < 3; attempt += 1)
      await expect(fresh.lookup(id, nothing)).rejects.toMatchObject({ kind: 'not-found' })
    door.shut('all')
    await expect(fresh.lookup(id, nothing)).rejects.toMatchObject({ kind: 'not-found' })
    expect(provider.take()).toEqual([])
  })

  it('ignores a provider that describes a token that the chain does not have', async () => {
    const address = '0x00000000000000000000000000000000000000cc'
    provider.coins = [
      { id: 'ghost', symbol: 'gh', name: 'Ghost', platforms: { devnet: address.toLowerCase() }, decimals: 6 },
    ]
    await expect((await open()).lookup(idOf(address), nothing)).rejects.toMatchObject({ kind: 'not-found' })
  })

  it('shows an address where a token has no symbol, and hides it', async () => {
    const { token } = await tokens.lookup(idOf(await world.deploy('Reverting')), nothing)
    expect(token.symbol).toMatch(/^0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4}$/)
    expect(token).toMatchObject({ decimals: 6, visibility: 'hidden', spam: true })
  })
})

describe('learning many', () => {
  it('reads unknown tokens, hostile ones among them, without asking a provider', async () => {
    const good = await world.deploy('Plain', 'MANY', 'One of many', 8, 1n)
    const addresses = [
      good,
      await world.deploy('GasBomb'),
      await world.deploy('Gone'),
      await world.deploy('Megabyte'),
    ]
    const learned = await tokens.learnMany(addresses.map(idOf))
    expect([...learned.keys()].sort()).toEqual(addresses.slice(0, 2).map(keyOf).sort())
    expect(learned.get(keyOf(good))).toMatchObject({ symbol: 'MANY', decimals: 8, spam: false })
    expect(learned.get(keyOf(addresses[1] as Address))).toMatchObject({ decimals: 18, spam: true })
    expect(provider.take()).toEqual([])
    expect((await tokens.findMany(addresses.map(idOf))).size).toBe(2)
  })

  it('does not fail while the chain is silent', async () => {
    const address = await world.deploy('Plain', 'LATER', 'Later', 8, 1n)
    door.shut('all')
    expect(await tokens.learnMany([idOf(address)])).toEqual(new Map())
    door.open()
    expect((await tokens.learnMany([idOf(address)])).size).toBe(1)
  })
})

it('a token learned for a holder is answered to others like an unknown one', async () => {
  const held = idOf(await world.deploy('Plain', 'DUST', 'Dust', 6, 1n))
  const unheard = idOf(await world.deploy('Plain', 'DUSK', 'Dusk', 6, 1n))
  const known = (await tokens.learnMany([held])).get(keyOf(held.address))!
  const all = new Set(['sources', 'market'] as const)
  expect(await tokens.describe([known], all)).toEqual([{ token: known, sources: [], market: null }])
  expect([await tokens.findPublic(held), await tokens.findPublic(unheard)]).toEqual([null, null])
  door.shut('all')
  for (const id of [held, unheard])
    await expect(tokens.lookup(id, all)).rejects.toMatchObject({ code: 'TOKEN_METADATA_UNAVAILABLE' })
  door.open()
  provider.take()
  const answers = [await tokens.lookup(held, all), await tokens.lookup(unheard, all)]
  // The provider and the contract are asked for both.
  expect(provider.take()).toHaveLength(2)
  const [one, other] = answers.map((answer) =>
    JSON.stringify(answer, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
      .replaceAll(answer.token.address, '0x')
      .replaceAll('DUST', 'DUSK')
      .replaceAll('Dust', 'Dusk'),
  )
  expect(one).toBe(other)
  for (const { firstSeenAt, lastSeenAt } of answers.flatMap(({ sources }) => sources ?? []))
    expect([firstSeenAt.getTime() % 3_600_000, lastSeenAt.getTime() % 3_600_000]).toEqual([0, 0])
})

it('an address that was no token for its holder is unknown for others', async () => {
  const held = idOf(await world.deploy('Later', 'LATER', 'Later', 6))
  expect((await tokens.learnMany([held])).size).toBe(0)
  await world.call(held.address, 'becomeToken()')
  expect((await tokens.lookup(held, nothing)).token).toMatchObject({ symbol: 'LATER' })
})

it('an account that holds a token sees its newest metadata', async () => {
  const id = idOf(await world.deploy('Later', 'LATER', 'Honest name', 6))
  await world.call(id.address, 'becomeToken()')
  expect((await tokens.learnMany([id])).get(keyOf(id.address))).toMatchObject({ spam: false })
  await world.call(id.address, 'rename(string)', 'claim at www.prize.com')
  await tokens.lookup(id, nothing)
  expect((await tokens.learnMany([id])).get(keyOf(id.address))).toMatchObject({ spam: true })
})

it('a token that shares a symbol is spam until a provider knows it', async () => {
  const address = await world.deploy('Plain', 'ETH', 'Ethos Bakery', 18, 1n)
  expect((await tokens.learnMany([idOf(address)])).get(keyOf(address))).toMatchObject({ spam: true })
  const coin = { id: 'ethos', symbol: 'eth', name: 'Ethos Bakery' }
  await tokens.recognise('coingecko', (id) => (id.address === address ? coin : undefined))
  expect(await tokens.find(idOf(address))).toMatchObject({
    symbol: 'ETH',
    decimals: 18,
    spam: false,
    visibility: 'unlisted',
    metadataSource: 'provider',
  })
  expect(provider.take()).toEqual([])
})

it('the configured tokens are listed while the token list cannot be loaded', async () => {
  const opened = await open({ list: { url: `${provider.url}/no-list` } })
  const page = await opened.catalog({ limit: 10, include: nothing })
  opened.stop()
  expect(page.tokens.map(({ token }) => token.symbol)).toEqual(['ETH'])
})

describe('the tokens watched for prices', () => {
  it('are the catalogue’s tokens, then those that were learned and are no spam', async () => {
    const address = await world.deploy('Plain', 'WATCH', 'Watched', 8, 1n)
    const spam = await world.deploy('Plain', 'FREE', 'claim at www.prize.com', 8, 1n)
    await tokens.learnMany([idOf(address), idOf(spam)])
    const watched = (await tokens.watched(1_000)).map((id) => id.address)
    expect(watched[0]).toBe('0x0000000000000000000000000000000000000000')
    expect(watched).toContain(address)
    expect(watched).not.toContain(spam)
    expect(await tokens.watched(1)).toHaveLength(1)
  })

  it('give every account its share, and clients that look tokens up another, however many others name', async () => {
    const sourcesOf = (addresses: readonly Address[]) =>
      addresses.map((address) => ({
        ...idOf(address),
        source: 'chain',
        sourceId: keyOf(address),
        symbol: 'TOK',
        name: 'Token',
        decimals: 8,
        logoUrl: null,
        externalUrl: null,
        totalSupply: 1n,
        wasHidden: false,
      }))
    const addressesFrom = (first: number, count: number) =>
      Array.from({ length: count }, (_, index) =>
        getAddress(`0x${(0xabc_000_000 + first + index).toString(16).padStart(40, '0')}`),
      )
    const opened = await open()
    const own = addressesFrom(0, 3)
    const honest = await seedAccount(database.pool)
    await recordTokenSources(database.pool, sourcesOf(own), 'held')
    for (const address of own)
      await addAccountToken(database.pool, { accountId: honest.accountId, ...idOf(address) }, 100)
    const sought = await world.deploy('Plain', 'SEEK', 'Sought', 8, 1n)
    await forClient({ network: 'home', account: null }, () => opened.lookup(idOf(sought), nothing))

    // Twenty free accounts add ten tokens each, and one network looks as many up.
    for (let account = 0; account < 20; account += 1) {
      const { accountId } = await seedAccount(database.pool)
      const junk = addressesFrom(1_000 + account * 10, 10)
      await recordTokenSources(database.pool, sourcesOf(junk), 'public')
      for (const address of junk) await addAccountToken(database.pool, { accountId, ...idOf(address) }, 100)
      for (const address of junk)
        await forClient({ network: 'flood', account: accountId }, () => opened.lookup(idOf(address), nothing))
    }
    const watched = (await opened.watched(100)).map(({ address }) => address)
    opened.stop()
    expect(watched).toHaveLength(100)
    expect(watched).toEqual(expect.arrayContaining([...own, sought]))
  })
})

describe('an account', () => {
  const watchedOf = (held: Address[] = [], maxPerAccount = 3) =>
    createWatchedTokens({
      database: database.pool,
      tokens,
      prices: { read: async () => new Map() },
      chains: new Map([[CHAIN, world.chain]]),
      accountTokens: { heldBy: async () => held.map(idOf) },
      balances: { read: () => Promise.reject(new Error('no test here reads a balance')) },
      maxPerAccount,
    })

  it('sees its added tokens, then its held ones, and no spam that a stranger sent it', async () => {
    const { accountId } = await seedAccount(database.pool)
    const added = await world.deploy('Plain', 'ADDED', 'Added', 8, 1n)
    const held = await world.deploy('Plain', 'HELD', 'Held', 8, 1n)
    const spam = await world.deploy('Plain', 'GIFT', 'Visit gift-for-you.xyz', 8, 1n)
    const watched = watchedOf([spam, held, added])
    await watched.add(accountId, idOf(added), nothing)
    expect((await watched.list(accountId, nothing)).map(({ token }) => token.symbol)).toEqual([
      'ADDED',
      'HELD',
    ])
    await expect(watched.add(accountId, idOf(spam), nothing)).rejects.toMatchObject({ kind: 'forbidden' })
  })

  it('can look up and add its held tokens without revealing them to others', async () => {
    const { accountId } = await seedAccount(database.pool)
    const held = await world.deploy('Plain', 'MINE', 'Mine', 8, 1n)
    const other = await world.deploy('Plain', 'THEIRS', 'Theirs', 8, 1n)
    const watched = watchedOf([held])
    const noBalance = 'no test here reads a balance'
    await expect(watched.read(accountId, idOf(held), nothing)).rejects.toThrow(noBalance)
    await watched.add(accountId, idOf(held), nothing)
    expect(await tokens.findPublic(idOf(held))).toBeNull()
    await expect(watched.read(accountId, idOf(other), nothing)).rejects.toThrow(noBalance)
    expect(await tokens.findPublic(idOf(other))).toMatchObject({ symbol: 'THEIRS' })
  })

  it('can add a limited number of tokens, also simultaneously, and an added one again', async () => {
    const { accountId } = await seedAccount(database.pool)
    const addresses: Address[] = []
    for (let index = 0; index < 6; index += 1)
      addresses.push(await world.deploy('Plain', `T${'ABCDEF'[index]}Q`, `Thing ${'ABCDEF'[index]}`, 8, 1n))
    const watched = watchedOf()
    const outcomes = await Promise.allSettled(
      addresses.map((address) => watched.add(accountId, idOf(address), nothing)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    const kept = await watched.list(accountId, nothing)
    expect(kept).toHaveLength(3)
    await watched.add(accountId, kept[0]!.token, nothing)
    expect(await watched.list(accountId, nothing)).toHaveLength(3)
  })
})
