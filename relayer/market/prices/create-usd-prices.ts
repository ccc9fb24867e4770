import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import { claimRound } from '../../../db/market/prices/price-rounds.ts'
import { listPrices, recordPrices, samplePrices } from '../../../db/market/prices/token-prices.ts'
import { writeApart } from '../../concurrency/write-apart.ts'
import { keyOf, type TokenId, type TokenKey } from '../tokens/token-id.ts'
import type { PricesConfig } from './config.ts'
import type { Price, ReportedPrice, Prices, KnownPrice, PriceSource } from './prices.ts'

/** Dependencies of the prices. `fixed` and `fallback` are in units of 10^-30 dollars. */
export interface UsdPricesParts {
  database: DatabasePool
  config: PricesConfig
  /** Read in this order; each for the tokens that earlier ones did not know. */
  sources: readonly PriceSource[]
  /** The operator's prices, which take precedence over sources. */
  fixed: ReadonlyMap<TokenKey, bigint>
  /** Prices from the chains' settings, for tokens that no source knows. */
  fallback: ReadonlyMap<TokenKey, bigint>
  /** Returns the tokens to read, independent of the service's users. */
  watched(): Promise<readonly TokenId[]>
  logger: Logger
}

/** Prices, and the rounds that read them. */
export interface OpenPrices extends Prices {
  /** Reads all sources now, if this instance's turn has come; concurrent calls share one round. */
  refresh(): Promise<void>
}

/** Creates the prices over PostgreSQL, where instances and restarts share the answers. */
export function createUsdPrices(parts: UsdPricesParts): OpenPrices {
  const { database, config, sources, fixed, fallback, watched, logger } = parts
  let running: Promise<void> | null = null

  async function runRound(): Promise<void> {
    if (sources.length === 0 || !(await claimRound(database, 'prices', config.refreshMs))) return
    const startedAt = new Date()
    const known = new Map<TokenKey, KnownPrice>()
    for (const [key, usd] of [...fallback, ...fixed]) known.set(key, { usd, observedAt: startedAt })
    let wanted = (await watched()).filter((id) => !fixed.has(keyOf(id)))
    for (const source of sources) {
      const told = new Set<TokenKey>()
      try {
        await source.read(wanted, known, async (quotes) => {
          await recordQuotes(parts, source.name, quotes)
          for (const { id, usd, observedAt } of quotes) {
            // A price that is too old counts as unknown; the next source may have a newer one.
            if (startedAt.getTime() - observedAt.getTime() > config.maxAgeMs) continue
            told.add(keyOf(id))
            known.set(keyOf(id), { usd, observedAt })
          }
        })
      } catch (error) {
        logger.warn({ err: error, source: source.name, priced: told.size }, 'a price source failed')
      }
      wanted = wanted.filter((id) => !told.has(keyOf(id)))
    }
    await samplePrices(database)
  }

  return {
    async read(tokens) {
      const now = Date.now()
      const found = new Map<TokenKey, Price | null>(tokens.map((id) => [keyOf(id), null]))
      // Rounded down to the round, so that answers stay equal until the next one.
      const observedAt = new Date(now - (now % config.refreshMs))
      const constant = (usd: bigint): Price => ({ usd, observedAt, stale: false })
      for (const prices of [fallback, fixed])
        for (const key of found.keys()) {
          const usd = prices.get(key)
          if (usd !== undefined) found.set(key, constant(usd))
        }
      const asked = tokens.filter((id) => !fixed.has(keyOf(id)))
      if (asked.length === 0 || sources.length === 0) return found
      for (const { chainId, address, usd, observedAt: seenAt } of await listPrices(database, asked)) {
        const age = now - seenAt.getTime()
        if (age <= config.maxAgeMs)
          found.set(`${chainId}:${address}` as TokenKey, {
            usd,
            observedAt: seenAt,
            stale: age > config.freshForMs,
          })
      }
      return found
    },
    refresh: () => (running ??= runRound().finally(() => (running = null))),
  }
}

async function recordQuotes(
  { database, logger }: UsdPricesParts,
  source: string,
  quotes: readonly ReportedPrice[],
): Promise<void> {
  const refused = await writeApart(
    database,
    quotes.map(({ id, usd, observedAt }) => ({ ...id, usd, observedAt })),
    (connection, rows) => recordPrices(connection, source, rows),
  )
  const tokens = refused.map(({ row, code }) => ({ chainId: row.chainId, address: row.address, code }))
  if (tokens.length > 0) logger.error({ tokens, source }, 'the database refused some prices')
}
