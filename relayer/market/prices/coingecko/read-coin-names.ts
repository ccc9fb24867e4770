import { getAddress, isAddress, zeroAddress } from 'viem'
import { z } from 'zod'
import { keyOf, type TokenId, type TokenKey } from '../../tokens/token-id.ts'
import type { CoingeckoConfig } from '../config.ts'
import { ProviderError, type AskCoingecko, platformOf } from './ask-coingecko.ts'

/** /coins/list?include_platform=true; each coin is validated on its own. */
const coinsShape = z.array(z.unknown()).max(200_000)
const coinShape = z.object({
  id: z.string().regex(/^[\x21-\x7e]{1,200}$/),
  symbol: z.string().max(1_000),
  name: z.string().max(1_000),
  platforms: z.record(z.string(), z.string().nullable()),
})

/** A coin by the provider's names. */
export interface CoinName {
  id: string
  /** Unsanitized texts; empty for native coins. */
  symbol: string
  name: string
}

/** The relation between tokens and the provider's coins. */
export interface CoinNames {
  coinOf(token: TokenId): CoinName | undefined
  tokensOf(coinId: string): readonly TokenId[]
}

/** Reads the list of all coins, for tokens of these chains. One large answer: request it once a day. */
export async function readCoinNames(
  ask: AskCoingecko,
  config: CoingeckoConfig,
  chainIds: readonly number[],
): Promise<CoinNames> {
  const coins = coinsShape.safeParse(await ask('/coins/list', { include_platform: 'true' }))
  if (!coins.success) throw new ProviderError('coingecko answered no list of coins')
  const chainOf = new Map<string, number>()
  const coinsByToken = new Map<TokenKey, CoinName>()
  const tokens = new Map<string, TokenId[]>()
  const add = (token: TokenId, coin: CoinName) => {
    if (coinsByToken.has(keyOf(token))) return
    coinsByToken.set(keyOf(token), coin)
    tokens.set(coin.id, [...(tokens.get(coin.id) ?? []), token])
  }
  for (const chainId of chainIds) {
    const { platform, nativeId } = platformOf(chainId, config)
    if (platform !== undefined) chainOf.set(platform, chainId)
    if (nativeId !== undefined) add({ chainId, address: zeroAddress }, { id: nativeId, symbol: '', name: '' })
  }
  for (const coin of coins.data) {
    const parsed = coinShape.safeParse(coin)
    if (!parsed.success) continue
    const { id, symbol, name, platforms } = parsed.data
    for (const [platform, address] of Object.entries(platforms)) {
      const chainId = chainOf.get(platform)
      if (chainId !== undefined && address && isAddress(address, { strict: false }))
        add({ chainId, address: getAddress(address.toLowerCase()) }, { id, symbol, name })
    }
  }
  return { coinOf: (token) => coinsByToken.get(keyOf(token)), tokensOf: (coinId) => tokens.get(coinId) ?? [] }
}
