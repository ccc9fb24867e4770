import { zeroAddress } from 'viem'
import type { ChainConfig } from '../../chain/nodes/config.ts'
import type { Originals } from './assess-spam.ts'
import type { TokensConfig } from './config.ts'
import { foldConfusables } from './fold-confusables.ts'
import type { TokenList } from './load-token-list.ts'
import { keyOf, tokenIdOf, type TokenId, type TokenKey } from './token-id.ts'
import type { Token } from './tokens.ts'

/** The tokens that are known without any request: those of the configuration and of the token list. */
export interface Catalog {
  /** Tokens of supported chains, by key. */
  tokens: ReadonlyMap<TokenKey, Token>
  list: TokenList | null
  pinnedSymbols: readonly string[]
  testnetToMainnet: ReadonlyMap<TokenKey, TokenId>
  originals: Originals
}

/** Builds the catalogue. The configuration takes precedence over the list. */
export function buildCatalog(
  chains: readonly ChainConfig[],
  list: TokenList | null,
  config: Pick<TokensConfig, 'pinnedSymbols' | 'partners'>,
): Catalog {
  const partners = new Set(config.partners.map(keyOf))
  const tokens = new Map<TokenKey, Token>()
  const served = new Set(chains.map(({ chainId }) => chainId))
  for (const token of chains.flatMap(configuredTokens)) tokens.set(keyOf(token), token)
  const coins = new Set(
    chains.flatMap(({ chainId, coinToken }) => (coinToken ? keyOf({ chainId, address: coinToken }) : [])),
  )
  for (const token of list?.tokens ?? []) {
    // It is the native coin, which is there already.
    if (coins.has(keyOf(token))) continue
    const known = tokens.get(keyOf(token))
    if (known) tokens.set(keyOf(token), { ...known, logoUri: known.logoUri ?? token.logoUri })
    else if (served.has(token.chainId))
      tokens.set(keyOf(token), {
        ...token,
        visibility: 'listed',
        metadataSource: 'token-list',
        spam: false,
        isPartner: false,
      })
  }
  for (const key of partners) {
    const token = tokens.get(key)
    if (token) tokens.set(key, { ...token, isPartner: true })
  }
  const symbols = new Set([...tokens.values()].map(({ symbol }) => symbol))
  return {
    tokens,
    list,
    pinnedSymbols: config.pinnedSymbols.filter((symbol) => symbols.has(symbol)),
    testnetToMainnet: mapTestnets(chains, [...tokens.values()], list),
    originals: listOriginals([...tokens.values()], config.pinnedSymbols),
  }
}

/** Lists the native coin and the pools' assets. */
function configuredTokens(chain: ChainConfig): Token[] {
  const { chainId, nativeSymbol } = chain
  const terms = {
    visibility: 'verified',
    metadataSource: 'configuration',
    spam: false,
    isPartner: false,
  } as const
  const native: Token = {
    ...terms,
    chainId,
    address: zeroAddress,
    symbol: nativeSymbol,
    name: nativeSymbol === 'ETH' ? 'Ether' : nativeSymbol,
    decimals: 18,
    logoUri: chain.nativeLogoUri ?? null,
  }
  const assets = (chain.relayer?.assets ?? []).map(({ asset, symbol, name, decimals, logoUri }): Token => ({
    ...terms,
    ...tokenIdOf(chainId, asset),
    symbol,
    name: name ?? symbol,
    decimals,
    logoUri: logoUri ?? null,
  }))
  return [native, ...assets.filter(({ address }) => address !== zeroAddress)]
}

/** Maps a testnet's token to the mainnet's of the same symbol, if the list has exactly one. */
function mapTestnets(
  chains: readonly ChainConfig[],
  tokens: readonly Token[],
  list: TokenList | null,
): Map<TokenKey, TokenId> {
  const found = new Map<TokenKey, TokenId>()
  for (const { chainId, isTestnet, mainnetChainId } of chains) {
    if (!isTestnet || mainnetChainId === undefined) continue
    for (const token of tokens.filter((item) => item.chainId === chainId)) {
      const same = (list?.tokens ?? []).filter(
        (item) => item.chainId === mainnetChainId && item.symbol === token.symbol,
      )
      if (token.address === zeroAddress)
        found.set(keyOf(token), { chainId: mainnetChainId, address: zeroAddress })
      else if (same.length === 1 && same[0])
        found.set(keyOf(token), { chainId: mainnetChainId, address: same[0].address })
    }
  }
  return found
}

function listOriginals(tokens: readonly Token[], pinned: readonly string[]): Originals {
  const symbols = groupBySkeleton(tokens, ({ symbol }) => symbol)
  const names = groupBySkeleton(tokens, ({ name }) => name)
  const natives = tokens.filter(({ address }) => address === zeroAddress).map(({ symbol }) => symbol)
  const wellKnown = new Set([...pinned, ...natives].map(foldConfusables))
  const isTaken = (groups: Map<string, Set<TokenKey>>, skeleton: string, id: TokenId) =>
    [...(groups.get(`${id.chainId}:${skeleton}`) ?? [])].some((key) => key !== keyOf(id))
  return {
    hasSymbol: (skeleton, id) => isTaken(symbols, skeleton, id),
    hasName: (skeleton, id) => isTaken(names, skeleton, id),
    isWellKnown: (skeleton) => wellKnown.has(skeleton),
  }
}

function groupBySkeleton(
  tokens: readonly Token[],
  textOf: (token: Token) => string,
): Map<string, Set<TokenKey>> {
  const groups = new Map<string, Set<TokenKey>>()
  for (const token of tokens) {
    const group = `${token.chainId}:${foldConfusables(textOf(token))}`
    groups.set(group, (groups.get(group) ?? new Set()).add(keyOf(token)))
  }
  return groups
}
