import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { buildCatalog } from '../../../../relayer/market/tokens/build-catalog.ts'
import { loadTokenList, parseTokenList, safeLogo } from '../../../../relayer/market/tokens/load-token-list.ts'
import { searchCatalog } from '../../../../relayer/market/tokens/search-catalog.ts'
import type { CatalogPosition } from '../../../../relayer/market/tokens/tokens.ts'
import { configOf } from './start-token-world.ts'

const list = await loadTokenList('default')
const mainnet = configOf('http://127.0.0.1:1', { chainId: 1 })
const testnet = configOf('http://127.0.0.1:1', {
  chainId: 11_155_111,
  isTestnet: true,
  mainnetChainId: 1,
  assets: [
    {
      asset: '0x2000000000000000000000000000000000000002',
      symbol: 'USDC',
      decimals: 6,
      minWithdrawAmount: 1,
      price: { kind: 'fixed', tokenPerNative: '3000000000' },
    },
  ],
})
const pinned = { pinnedSymbols: ['ETH', 'USDC', 'NONE'], partners: [] }
const catalog = buildCatalog([mainnet, testnet], list, pinned)
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

describe('the catalogue', () => {
  it('has the native coins, the configured assets and the list’s tokens of served chains', () => {
    expect(catalog.tokens.get(`1:${zeroAddress}`)).toMatchObject({ symbol: 'ETH', visibility: 'verified' })
    expect(catalog.tokens.get(`1:${USDC}`)).toMatchObject({
      symbol: 'USDC',
      decimals: 6,
      visibility: 'listed',
      metadataSource: 'token-list',
    })
    expect(new Set([...catalog.tokens.values()].map(({ chainId }) => chainId))).toEqual(
      new Set([1, 11_155_111]),
    )
  })

  it("names the mainnet tokens of a testnet's tokens, and pins its symbols", () => {
    expect(catalog.testnetToMainnet.get('11155111:0x2000000000000000000000000000000000000002')).toEqual({
      chainId: 1,
      address: USDC,
    })
    expect(catalog.testnetToMainnet.get(`11155111:${zeroAddress}`)).toEqual({
      chainId: 1,
      address: zeroAddress,
    })
    expect(catalog.pinnedSymbols).toEqual(['ETH', 'USDC'])
  })

  it("prefers the configuration over the list, but takes the list's picture", () => {
    const asset = { asset: USDC, symbol: 'USDC.x', decimals: 7, minWithdrawAmount: 1 }
    const config = configOf('http://127.0.0.1:1', {
      chainId: 1,
      assets: [{ ...asset, price: { kind: 'fixed', tokenPerNative: '1' } }],
    })
    const token = buildCatalog([config], list, {
      ...pinned,
      partners: [{ chainId: 1, address: USDC }],
    }).tokens.get(`1:${USDC}`)
    expect(token).toMatchObject({ symbol: 'USDC.x', decimals: 7, visibility: 'verified', isPartner: true })
    expect(token?.logoUri).toMatch(/^https:/)
  })
})

describe('searching', () => {
  const search = (q: string, limit = 10, chainId?: number) =>
    searchCatalog(catalog, { q, limit, chainId }).tokens.map(({ symbol }) => symbol)

  it('ranks an exact symbol before a prefix and a prefix before a name', () => {
    const found = searchCatalog(catalog, { q: 'eth', limit: 1_000, chainId: 1 }).tokens
    const rank = found.map(({ symbol, name }) =>
      symbol.toLowerCase() === 'eth'
        ? 0
        : symbol.toLowerCase().startsWith('eth')
          ? 1
          : / eth|^eth/.test(name.toLowerCase())
            ? 2
            : 3,
    )
    expect(rank[0]).toBe(0)
    expect(new Set(rank).size).toBe(4)
    expect(rank).toEqual(rank.toSorted((a, b) => a - b))
  })

  it('finds an address in any case, but no similar one', () => {
    expect(search(USDC.toLowerCase())).toEqual(['USDC'])
    expect(search(USDC.slice(0, 20))).toEqual([])
  })

  it('shows pinned and verified tokens first without a question', () => {
    expect(search('', 2, 1)).toEqual(['ETH', 'USDC'])
  })

  it('can be limited to one chain', () => {
    expect(search('usdc', 10, 11_155_111)).toEqual(['USDC'])
    expect(search('usdc', 10, 424_242)).toEqual([])
  })

  it('pages through everything once, whatever the page size, also when tokens come and go between', () => {
    const all = searchCatalog(catalog, { limit: 10_000 }).tokens
    for (const limit of [1, 7, 100]) {
      const seen = []
      let cursor: CatalogPosition | undefined
      do {
        const page = searchCatalog(catalog, { limit, cursor })
        seen.push(...page.tokens)
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      expect(seen).toEqual(all)
    }
    const first = searchCatalog(catalog, { limit: 50 })
    const fewer = new Map(catalog.tokens)
    const last = first.tokens.at(-1)
    fewer.delete(`${last?.chainId ?? 0}:${last?.address ?? '0x'}`)
    const rest = searchCatalog(
      { ...catalog, tokens: fewer },
      { limit: 10_000, cursor: first.nextCursor ?? undefined },
    )
    expect(rest.tokens).toEqual(all.slice(50))
  })
})

describe('a token list', () => {
  const token = { chainId: 1, address: USDC, symbol: 'USDC', name: 'USD Coin', decimals: 6 }
  const listOf = (...tokens: unknown[]) => ({ name: 'Test', timestamp: '2026-01-01T00:00:00+00:00', tokens })

  it('skips entries that are no tokens of an Ethereum chain, and sanitises the others', () => {
    const parsed = parseTokenList(
      listOf(
        { ...token, symbol: 'US\u202eDC', logoURI: 'javascript:alert(1)' },
        { ...token, address: '26f12PmBk77wQV1TzLe8XKkNBvMFggbuypxdtMLzNLzz' },
        { ...token, decimals: 255 },
        { ...token, symbol: '\u200b' },
        { ...token, chainId: '1' },
        null,
      ),
    )
    expect(parsed.tokens).toEqual([{ ...token, logoUri: null }])
  })

  it('is refused as a whole when it is malformed', () => {
    expect(() => parseTokenList({ tokens: [] })).toThrow()
    expect(() => parseTokenList([])).toThrow()
  })

  it('has the same tokens of a chain whether all or only those of some chains are wanted', async () => {
    const wanted = await loadTokenList('default', new Set([10, 8_453]))
    expect(wanted?.tokens).toEqual(list?.tokens.filter(({ chainId }) => chainId === 10 || chainId === 8_453))
    expect(wanted?.tokens.length).toBeGreaterThan(100)
    expect(parseTokenList(listOf(token, 'no token', null, {}), new Set([token.chainId])).tokens).toHaveLength(
      1,
    )
  })

  it('can be read from a file or switched off', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'token-list-'))
    try {
      await writeFile(join(folder, 'list.json'), JSON.stringify(listOf(token)))
      expect((await loadTokenList({ file: join(folder, 'list.json') }))?.tokens).toHaveLength(1)
      await expect(loadTokenList({ file: join(folder, 'missing.json') })).rejects.toThrow('ENOENT')
      expect(await loadTokenList('none')).toBeNull()
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('can be fetched from a URL, unless that fails or never ends', async () => {
    let answer = (response: ServerResponse): void => void response.end(JSON.stringify(listOf(token)))
    const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const source = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/list.json` }
    try {
      expect((await loadTokenList(source))?.tokens).toHaveLength(1)
      answer = (response) => void response.writeHead(503).end()
      await expect(loadTokenList(source)).rejects.toThrow('HTTP 503')
      answer = (response) => {
        const chunk = Buffer.alloc(1024 * 1024, ' ')
        const pour = () => {
          while (!response.destroyed && response.write(chunk)) continue
        }
        response.on('drain', pour).on('error', () => {})
        pour()
      }
      await expect(loadTokenList(source)).rejects.toThrow('larger than')
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it.each([
    ['https://example.org/a.png', 'https://example.org/a.png'],
    ['ipfs://QmX/logo.png', 'ipfs://QmX/logo.png'],
    ['http://example.org/a.png', null],
    ['data:image/svg+xml,<svg onload=1>', null],
    ['https://user:pass@example.org/', null],
    ['nonsense', null],
  ])('reads the picture %s as %s', (text, url) => {
    expect(safeLogo(text)).toBe(url)
  })
})
