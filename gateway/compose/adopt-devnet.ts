import type { DevnetReport } from './devnet-report.ts'
import type { ServiceConfig } from '../config/config.ts'

/** The service's settings, completed with those of its devnet. */
export function adoptDevnet(
  config: ServiceConfig,
  { settings }: { settings: DevnetReport['settings'] },
): ServiceConfig {
  const { chains, collectibles, names, sourcify, prices } = settings
  return {
    ...config,
    chains,
    collectibles: config.collectibles ?? collectibles,
    sourcify: config.sourcify ?? sourcify,
    names: config.names.parent === undefined ? { ...config.names, ...names } : config.names,
    prices: prices && hasNoPrices(config) ? askOften(config.prices, prices) : config.prices,
  }
}

/** True if the operator configured no source of prices. */
export const hasNoPrices = ({ prices }: { prices: ServiceConfig['prices'] }): boolean =>
  prices.sources.length === 0

const askOften = (
  prices: ServiceConfig['prices'],
  { sources, refreshMs, marketRefreshMs }: NonNullable<DevnetReport['settings']['prices']>,
): ServiceConfig['prices'] => ({
  ...prices,
  sources,
  refreshMs: Math.min(prices.refreshMs, refreshMs),
  marketRefreshMs: Math.min(prices.marketRefreshMs, marketRefreshMs),
})
