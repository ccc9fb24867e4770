import type { CommonQueryMethods, DatabasePool } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { keepRows } from '../../account-table.ts'

/** How an account's erasure and export treat the tables. */
export const tokenMarketTables = ['token_market', 'trending_token'].map((table) =>
  keepRows(table, 'addresses of tokens'),
)

const tokenMarketRow = z.object({
  chainId: z.bigint().transform(Number),
  address: z.string(),
  provider: z.string(),
  providerAssetId: z.string(),
  figures: z.record(z.string(), z.string()),
  marketCapRank: z.number().nullable(),
  athDate: z.string().nullable(),
  atlDate: z.string().nullable(),
  providerUpdatedAt: z.date().nullable(),
  priceObservedAt: z.date(),
  marketObservedAt: z.date(),
  fetchedAt: z.date(),
})

/** A token's market as a provider reported it; figures are decimal text. */
export type TokenMarketRow = z.output<typeof tokenMarketRow>
/** `volume`: whole dollars traded in a day. */
export type NewTokenMarket = Omit<TokenMarketRow, 'fetchedAt'> & { volume: bigint }

interface Named {
  chainId: number
  address: string
}

/** Stores markets. Ignores an observation older than the stored one of the same coin. */
export async function recordMarkets(
  connection: CommonQueryMethods,
  markets: readonly NewTokenMarket[],
): Promise<void> {
  if (markets.length === 0) return
  await connection.query(sql.typeAlias('void')`
    insert into token_market (chain_id, address, provider, provider_asset_id, figures, volume, market_cap_rank, ath_date,
      atl_date, provider_updated_at, price_observed_at, market_observed_at)
    select * from ${sql.unnest(
      markets.map((market) => [
        market.chainId,
        market.address,
        market.provider,
        market.providerAssetId,
        JSON.stringify(market.figures),
        String(market.volume),
        market.marketCapRank,
        market.athDate,
        market.atlDate,
        market.providerUpdatedAt?.toISOString() ?? null,
        market.priceObservedAt.toISOString(),
        market.marketObservedAt.toISOString(),
      ]),
      [
        'int8',
        'text',
        'text',
        'text',
        'jsonb',
        'numeric',
        'int4',
        'text',
        'text',
        'timestamptz',
        'timestamptz',
        'timestamptz',
      ],
    )}
    on conflict (chain_id, address) do update set provider = excluded.provider,
      provider_asset_id = excluded.provider_asset_id, figures = excluded.figures, volume = excluded.volume,
      market_cap_rank = excluded.market_cap_rank, ath_date = excluded.ath_date, atl_date = excluded.atl_date,
      provider_updated_at = excluded.provider_updated_at, price_observed_at = excluded.price_observed_at,
      market_observed_at = excluded.market_observed_at, fetched_at = now()
    where excluded.market_observed_at >= token_market.market_observed_at
      or (excluded.provider, excluded.provider_asset_id)
        is distinct from (token_market.provider, token_market.provider_asset_id)`)
}

/** The market figures of these tokens, in no order; tokens without figures are absent. */
export function listMarkets(
  connection: CommonQueryMethods,
  tokens: readonly Named[],
): Promise<readonly TokenMarketRow[]> {
  return connection.any(sql.type(tokenMarketRow)`
    select chain_id as "chainId", address, provider, provider_asset_id as "providerAssetId", figures,
      market_cap_rank as "marketCapRank", ath_date as "athDate", atl_date as "atlDate",
      provider_updated_at as "providerUpdatedAt", price_observed_at as "priceObservedAt",
      market_observed_at as "marketObservedAt", fetched_at as "fetchedAt"
    from token_market where (chain_id, address) in (
      select * from ${sql.unnest(
        tokens.map(({ chainId, address }) => [chainId, address]),
        ['int8', 'text'],
      )})`)
}

/** Replaces the trending tokens, most wanted first. */
export async function replaceTrending(pool: DatabasePool, tokens: readonly Named[]): Promise<void> {
  await pool.transaction(async (connection) => {
    await connection.query(sql.typeAlias('void')`delete from trending_token`)
    if (tokens.length === 0) return
    await connection.query(sql.typeAlias('void')`
      insert into trending_token (chain_id, address, place)
      select * from ${sql.unnest(
        tokens.map(({ chainId, address }, place) => [chainId, address, place]),
        ['int8', 'text', 'int4'],
      )} on conflict do nothing`)
  })
}

const namedRow = z.object({ chainId: z.bigint().transform(Number), address: z.string() })

/** Lists the trending tokens of a chain, most wanted first. */
export function listTrending(
  connection: CommonQueryMethods,
  chainId: number,
  limit: number,
): Promise<readonly Named[]> {
  return connection.any(sql.type(namedRow)`
    select chain_id as "chainId", address from trending_token where chain_id = ${chainId} order by place limit ${limit}`)
}

/** Lists the most traded tokens of a chain, by observations of the last day. */
export function listMostTraded(
  connection: CommonQueryMethods,
  chainId: number,
  limit: number,
): Promise<readonly Named[]> {
  return connection.any(sql.type(namedRow)`
    select chain_id as "chainId", address from token_market
    where chain_id = ${chainId} and volume > 0 and market_observed_at > now() - interval '1 day'
    order by volume desc, address limit ${limit}`)
}

/** Lists the tokens of a chain with a price of the last day: a substitute where no source reports volumes. */
export function listPriced(
  connection: CommonQueryMethods,
  chainId: number,
  limit: number,
): Promise<readonly Named[]> {
  return connection.any(sql.type(namedRow)`
    select chain_id as "chainId", address from token_price
    where chain_id = ${chainId} and observed_at > now() - interval '1 day' order by address limit ${limit}`)
}
