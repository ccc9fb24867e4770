import { describe, expect, it } from 'vitest'
import { assessSpam, type Suspect } from '../../../../relayer/market/tokens/assess-spam.ts'
import { buildCatalog } from '../../../../relayer/market/tokens/build-catalog.ts'
import { loadTokenList } from '../../../../relayer/market/tokens/load-token-list.ts'
import { configOf } from './start-token-world.ts'

const { originals } = buildCatalog(
  [configOf('http://127.0.0.1:1', { chainId: 1 }), configOf('http://127.0.0.1:1', { chainId: 5_000 })],
  await loadTokenList('default'),
  { pinnedSymbols: ['ETH', 'USDC', 'USDT'], partners: [] },
)

const suspect = (members: Partial<Suspect>): Suspect => ({
  chainId: 1,
  address: '0x1000000000000000000000000000000000000001',
  symbol: 'QZX',
  name: 'Quiet Zebra',
  wasHidden: false,
  totalSupply: 10n ** 24n,
  isKnownToProvider: false,
  ...members,
})
const reasonsOf = (members: Partial<Suspect>) => assessSpam(suspect(members), originals)

describe('assessSpam', () => {
  it('finds nothing in an honest unknown token', () => {
    expect(reasonsOf({})).toEqual([])
    expect(reasonsOf({ symbol: '円', name: '日本円トークン' })).toEqual([])
    expect(reasonsOf({ symbol: 'stETHx', name: "Bob's Café v1.5 (beta)" })).toEqual([])
  })

  it.each([
    ['the symbol of a listed token', { symbol: 'UNI', name: 'Something else' }],
    ['the name of a listed token', { symbol: 'ABCX', name: 'Uniswap' }],
    ['another case', { symbol: 'usdc', name: 'coin' }],
    ['Cyrillic letters', { symbol: 'USDС', name: 'Nothing' }],
    ['Greek letters', { symbol: 'UNΙ', name: 'Nothing' }],
    ['full-width letters', { symbol: 'ＵＮＩ', name: 'Nothing' }],
    ['marks', { symbol: 'U\u0323NI', name: 'Nothing' }],
    ['digits for letters', { symbol: 'UN1', name: 'Nothing' }],
    ['blanks and points between', { symbol: 'U.N.I', name: 'Nothing' }],
    ['the native coin', { symbol: 'ETH', name: 'Nothing' }],
  ])('finds an imitation: %s', (_, members) => {
    expect(reasonsOf(members)).toContain('imitation')
  })

  it('finds a well-known symbol on a chain whose list does not have it', () => {
    expect(reasonsOf({ chainId: 5_000, symbol: 'USDT' })).toContain('imitation')
    expect(reasonsOf({ chainId: 5_000, symbol: 'UNI' })).toEqual([])
  })

  it('lets a token that a provider knows share a symbol, but not symbol and name', () => {
    expect(reasonsOf({ symbol: 'UNI', name: 'University Coin', isKnownToProvider: true })).toEqual([])
    expect(reasonsOf({ symbol: 'UNI', name: 'Uniswap', isKnownToProvider: true })).toContain('imitation')
    expect(reasonsOf({ symbol: 'UNΙ', name: 'University', isKnownToProvider: true })).toContain('imitation')
  })

  it.each([
    ['https://example.org'],
    ['Visit uni-drop.xyz now'],
    ['$ 5000 at www.prize'],
    ['t.me/prize'],
    ['usd-gift.com'],
    ['reward . top'],
    ['ｅｘａｍｐｌｅ．ｃｏｍ'],
  ])('finds a link: %s', (name) => {
    expect(reasonsOf({ name })).toContain('link')
  })

  it.each([
    ['Claim your tokens'],
    ['AIRDROP'],
    ['Please visit us'],
    ['1000 voucher'],
    ['Rewards at our site'],
    ['claimable'],
  ])('finds a lure: %s', (name) => {
    expect(reasonsOf({ name })).toContain('lure')
  })

  it.each([['Visitor'], ['Redeemer'], ['Reclaimed'.replace('claim', 'gain')], ['Rewards'], ['Bonusly']])(
    'finds no lure in a word that only begins like one: %s',
    (name) => {
      expect(reasonsOf({ name })).not.toContain('lure')
    },
  )

  it('finds hidden characters, mixed scripts, empty names and a supply of zero', () => {
    expect(reasonsOf({ wasHidden: true })).toEqual(['hidden-characters'])
    expect(reasonsOf({ name: 'Zеbra' })).toEqual(['mixed-scripts'])
    expect(reasonsOf({ symbol: '' })).toEqual(['no-name'])
    expect(reasonsOf({ symbol: '🦄' })).toEqual(['no-name'])
    expect(reasonsOf({ totalSupply: 0n })).toEqual(['no-supply'])
    expect(reasonsOf({ totalSupply: null })).toEqual([])
  })

  it('finds only one suspicion among all listed tokens: a name that is a web address', async () => {
    const list = await loadTokenList('default')
    const mainnet = (list?.tokens ?? []).filter(({ chainId }) => chainId === 1)
    const suspected = mainnet.filter(
      (token) => assessSpam(suspect({ ...token, isKnownToProvider: true }), originals).length > 0,
    )
    expect(mainnet.length).toBeGreaterThan(300)
    expect(suspected.map(({ name }) => name)).toEqual(['Ether.fi'])
  })
})
