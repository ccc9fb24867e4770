import { zeroAddress } from 'viem'
import type { KeptPart } from '../keep-process.ts'
import { NATIVE_ID, devnetPlatformOf, priceAt, type DevnetCoin } from './coins.ts'

const REFRESH_MS = 10_000
const HOUR_MS = 3_600_000
/** Hours that the service stores samples. */
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
export function priceSettings(url: string, chainIds: readonly number[]) {
  const platforms = Object.fromEntries(
    chainIds.map((chainId) => [
      String(chainId),
      { platform: devnetPlatformOf(chainId), nativeId: NATIVE_ID },
    ]),
  )
  const source = { kind: 'coingecko' as const, url, requestsPerMinute: 10_000, platforms }
  return { sources: [source], refreshMs: REFRESH_MS, marketRefreshMs: REFRESH_MS }
}

/** Prices of the hours before, computed from the waves: dollars as decimal text. */
export function listEarlierPrices(coins: readonly DevnetCoin[], chainIds: readonly number[]) {
  const now = Date.now()
  const hours = Array.from({ length: SAMPLED_HOURS }, (_, ago) => now - (now % HOUR_MS) - (ago + 1) * HOUR_MS)
  return coins.flatMap((coin) =>
    chainIds.flatMap((chainId) =>
      hours.map((hour) => ({
        chainId,
        address: coin.contracts[chainId] ?? zeroAddress,
        hour: new Date(hour).toISOString(),
        usd: String(priceAt(coin, hour)),
      })),
    ),
  )
}
