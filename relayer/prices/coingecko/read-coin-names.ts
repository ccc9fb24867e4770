import { getAddress, isAddress, zeroAddress } from 'viem'
import { z } from 'zod'
import { keyOf, type TokenId, type TokenKey } from '../../holdings/tokens/token-id.ts'
import type { CoingeckoConfig } from '../config.ts'
import { ProviderError, type AskCoingecko } from './ask-coingecko.ts'
import { platformOf } from './platforms.ts'

/** /coins/list?include_platform=true, of which each coin is looked at by itself. */
const coinsShape = z.array(z.unknown()).max(200_000)
const coinShape = z.object({
  id: z.string().min(1).max(200),
  platforms: z.record(z.string(), z.string().nullable()),
})

/** Which of the provider's coins tokens are. */
export interface CoinNames {
  idOf(token: TokenId): string | undefined
  tokensOf(coinId: string): readonly TokenId[]
}

/** Reads the list of all coins, for tokens of these chains. One large answer: ask for it once a day. */
export async function readCoinNames(
  ask: AskCoingecko,
  config: CoingeckoConfig,
  chainIds: readonly number[],
): Promise<CoinNames> {
  const coins = coinsShape.safeParse(await ask('/coins/list', { include_platform: 'true' }))
  if (!coins.success) throw new ProviderError('coingecko answered no list of coins')
  const chainOf = new Map<string, number>()
  const ids = new Map<TokenKey, string>()
  const tokens = new Map<string, TokenId[]>()
  const add = (token: TokenId, coinId: string) => {
    if (ids.has(keyOf(token))) return
    ids.set(keyOf(token), coinId)
    tokens.set(coinId, [...(tokens.get(coinId) ?? []), token])
  }
  for (const chainId of chainIds) {
    const { platform, nativeId } = platformOf(chainId, config)
    if (platform !== undefined) chainOf.set(platform, chainId)
    if (nativeId !== undefined) add({ chainId, address: zeroAddress }, nativeId)
  }
  for (const coin of coins.data) {
    const parsed = coinShape.safeParse(coin)
    if (!parsed.success) continue
    for (const [platform, address] of Object.entries(parsed.data.platforms)) {
      const chainId = chainOf.get(platform)
      if (chainId !== undefined && address && isAddress(address, { strict: false }))
        add({ chainId, address: getAddress(address.toLowerCase()) }, parsed.data.id)
    }
  }
  return { idOf: (token) => ids.get(keyOf(token)), tokensOf: (coinId) => tokens.get(coinId) ?? [] }
}
