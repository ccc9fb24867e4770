import { NATIVE, NATIVE_USD, STRICT, TAXED, TOKENS, type TestAsset } from '../deploy/devnet-assets.ts'
import type { DevnetAddresses } from '../deploy/devnet-addresses.ts'

/** A coin of the market; it is one token on each chain, or the native coin. */
export interface DevnetCoin {
  id: string
  symbol: string
  name: string
  decimals: number
  /** US dollars in the middle of its wave. */
  usd: number
  /** Its price stands still and was seen before the present hour, so that it is stale. */
  isStale: boolean
  /** By chainId; none of the native coin. */
  contracts: Readonly<Record<string, string>>
}

const WAVE_MS = 97 * 60_000
/** Half of one percent: prices stay close to those of the devnet's pools, which stand still. */
const SWING = 0.005
const HOUR_MS = 3_600_000
/** Longer than a price is fresh. */
const STALE_MS = 600_000

/** The coin and the tokens of the devnet's chains, as a market lists them. */
export function listCoins(
  chains: readonly {
    chainId: number
    addresses: Pick<DevnetAddresses, 'tokens' | 'taxedToken' | 'strictToken'>
  }[],
): DevnetCoin[] {
  const list = (
    { symbol, name, decimals }: TestAsset,
    addressOf?: (addresses: (typeof chains)[number]['addresses']) => string,
  ): DevnetCoin => ({
    id: `devnet-${symbol.toLowerCase()}`,
    symbol: symbol.toLowerCase(),
    name,
    decimals,
    usd: addressOf ? 1 : Number(NATIVE_USD),
    isStale: symbol === STRICT.symbol,
    contracts: addressOf
      ? Object.fromEntries(chains.map(({ chainId, addresses }) => [chainId, addressOf(addresses)]))
      : {},
  })
  return [
    list(NATIVE),
    list(TOKENS[0], ({ tokens }) => tokens[0]),
    list(TOKENS[1], ({ tokens }) => tokens[1]),
    list(TAXED, ({ taxedToken }) => taxedToken),
    list(STRICT, ({ strictToken }) => strictToken),
  ]
}

/** The provider's name of a devnet chain. */
export const devnetPlatformOf = (chainId: number | string): string => `devnet-${chainId}`
/** The provider's name of the chains' native coin. */
export const NATIVE_ID = `devnet-${NATIVE.symbol.toLowerCase()}`

/** A coin's price at a time: a slow wave, the same in every run. */
export function priceAt(
  { id, usd, isStale }: Pick<DevnetCoin, 'id' | 'usd' | 'isStale'>,
  time: number,
): number {
  if (isStale) return usd
  // The coins' waves begin at different times.
  const phase = id.length
  return Number((usd * (1 + SWING * Math.sin((2 * Math.PI * time) / WAVE_MS + phase))).toFixed(9))
}

/** The highest and the lowest price that a coin ever has. */
export const boundsOf = ({ usd, isStale }: DevnetCoin): { high: number; low: number } =>
  isStale ? { high: usd, low: usd } : { high: usd * (1 + SWING), low: usd * (1 - SWING) }

/** When a coin's present price was seen. */
export const observedAt = ({ isStale }: DevnetCoin, now: number): number =>
  isStale ? now - (now % HOUR_MS) - STALE_MS : now
