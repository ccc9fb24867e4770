import { zeroAddress } from 'viem'
import { keyOf, tokenIdOf } from '../../../relayer/market/tokens/token-id.ts'
import { createCoingeckoClient } from '../../../relayer/market/prices/coingecko/ask-coingecko.ts'
import { createCoingeckoPrices } from '../../../relayer/market/prices/coingecko/read-coingecko-prices.ts'
import type { CoingeckoConfig } from '../../../relayer/market/prices/config.ts'
import { listChainPrices, listFixedPrices } from '../../../relayer/market/prices/open-prices.ts'
import type { ServiceConfig } from '../../config/config.ts'
import { openChart, type ChartEntry } from './open-chart.ts'

/** Asks each provider of prices for the chains' native coins, and names the chains whose coin has no price. */
export async function checkPrices({ chains, prices: { sources } }: ServiceConfig): Promise<ChartEntry[]> {
  const chart = openChart('prices')
  const priced = new Set([...listFixedPrices(sources).keys(), ...listChainPrices(chains).keys()])
  const coins = chains.map(({ chainId }) => tokenIdOf(chainId, zeroAddress))
  for (const source of sources) {
    if (source.kind === 'uniswap-v3')
      for (const { chainId, token } of source.pools) priced.add(keyOf(tokenIdOf(chainId, token)))
    if (source.kind !== 'coingecko') continue
    const about = new URL(source.url).host
    try {
      const given = await readCoins(source, coins)
      for (const key of given) priced.add(key)
      chart.ok(`come from ${about}: of ${given.length} native coins`)
    } catch (error) {
      chart.error(
        `do not come from ${about}: ${(error as Error).message}`,
        'Correct `prices.sources`: address, key, and the header of the key.',
      )
    }
  }
  for (const { chainId, nativeSymbol } of chains)
    if (!priced.has(keyOf(tokenIdOf(chainId, zeroAddress))))
      chart.warn(
        `are missing for ${nativeSymbol} of chain ${chainId}: fees and limits in dollars do not count there`,
        'Add a source to `prices.sources`.',
      )
  return chart.entries
}

async function readCoins(source: CoingeckoConfig, coins: readonly ReturnType<typeof tokenIdOf>[]) {
  const found: ReturnType<typeof keyOf>[] = []
  const provider = createCoingeckoPrices(createCoingeckoClient(source), source)
  await provider.read(
    coins,
    new Map(),
    async (prices) => void found.push(...prices.map(({ id }) => keyOf(id))),
  )
  return found
}
