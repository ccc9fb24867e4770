import type { DatabasePool } from 'slonik'
import { getAddress, zeroAddress } from 'viem'
import { addPriceSamples } from '../../../db/market/prices/token-prices.ts'
import { pricesConfig, type PricesConfig } from '../../market/prices/config.ts'
import { parseUsd } from '../../market/prices/usd.ts'
import type { KeptPart } from '../keep-process.ts'
import { NATIVE_ID, devnetPlatformOf, priceAt, type DevnetCoin } from './coins.ts'

const REFRESH_MS = 10_000
const HOUR_MS = 3_600_000
/** As long as samples are kept. */
const SAMPLED_HOURS = 26

/** The market of the devnet's tokens, as a part of the process beside the chains. */
export const describeMarket = (coins: readonly DevnetCoin[]): KeptPart => ({
  name: 'market',
  port: 0,
  portHint: '"devnet": {"market": false} does without it',
  settings: () => ({ coins }),
  onMessage: () => undefined,
})

/** The settings of prices by which the service asks the market, more often than it would ask one of others. */
export function askMarket(config: PricesConfig, url: string, chainIds: readonly number[]): PricesConfig {
  const platforms = Object.fromEntries(
    chainIds.map((chainId) => [
      String(chainId),
      { platform: devnetPlatformOf(chainId), nativeId: NATIVE_ID },
    ]),
  )
  const source = { kind: 'coingecko', url, requestsPerMinute: 10_000, platforms }
  return {
    ...config,
    ...pricesConfig.pick({ sources: true }).parse({ sources: [source] }),
    refreshMs: Math.min(config.refreshMs, REFRESH_MS),
    marketRefreshMs: Math.min(config.marketRefreshMs, REFRESH_MS),
  }
}

/** Stores what prices were in the hours before, which the waves tell, so that changes are known from the start. */
export async function recordEarlierPrices(
  database: DatabasePool,
  coins: readonly DevnetCoin[],
  chainIds: readonly number[],
): Promise<void> {
  const now = Date.now()
  const hours = Array.from({ length: SAMPLED_HOURS }, (_, ago) => now - (now % HOUR_MS) - (ago + 1) * HOUR_MS)
  const samples = coins.flatMap((coin) =>
    chainIds.flatMap((chainId) =>
      hours.map((hour) => ({
        chainId,
        address: getAddress(coin.contracts[chainId] ?? zeroAddress),
        hour: new Date(hour),
        usd: parseUsd(String(priceAt(coin, hour))),
      })),
    ),
  )
  await addPriceSamples(database, samples)
}
