import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { keepRows } from '../../account-table.ts'

/** How an account's erasure and export treat the tables. */
export const tokenPriceTables = ['token_price', 'price_sample'].map((table) =>
  keepRows(table, 'addresses of tokens'),
)

const tokenPriceRow = z.object({
  chainId: z.bigint().transform(Number),
  address: z.string(),
  usd: z.bigint(),
  observedAt: z.date(),
})

/** A token's price; `usd` in units of 10^-30 dollars. */
export type TokenPriceRow = z.output<typeof tokenPriceRow>

interface Named {
  chainId: number
  address: string
}

const namesOf = (tokens: readonly Named[]) =>
  sql.unnest(
    tokens.map(({ chainId, address }) => [chainId, address]),
    ['int8', 'text'],
  )

/** Stores prices. Ignores an observation older than the stored one. */
export async function recordPrices(
  connection: CommonQueryMethods,
  source: string,
  prices: readonly TokenPriceRow[],
): Promise<void> {
  if (prices.length === 0) return
  await connection.query(sql.typeAlias('void')`
    insert into token_price (chain_id, address, usd, observed_at, source)
    select *, ${source} from ${sql.unnest(
      prices.map(({ chainId, address, usd, observedAt }) => [
        chainId,
        address,
        String(usd),
        observedAt.toISOString(),
      ]),
      ['int8', 'text', 'numeric', 'timestamptz'],
    )}
    on conflict (chain_id, address) do update set usd = excluded.usd, source = excluded.source,
      observed_at = excluded.observed_at, fetched_at = now()
    where excluded.observed_at >= token_price.observed_at`)
}

/** The newest known price of each of these tokens, in no order and however old; tokens without a price are absent. */
export function listPrices(
  connection: CommonQueryMethods,
  tokens: readonly Named[],
): Promise<readonly TokenPriceRow[]> {
  return connection.any(sql.type(tokenPriceRow)`
    select chain_id as "chainId", address, usd, observed_at as "observedAt" from token_price
    where (chain_id, address) in (select * from ${namesOf(tokens)})`)
}

/** Samples the known prices once per hour and deletes samples older than 26 hours. */
export async function samplePrices(connection: CommonQueryMethods): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    insert into price_sample (chain_id, address, hour, usd)
    select chain_id, address, date_trunc('hour', now()), usd from token_price
    where observed_at > now() - interval '1 hour'
    on conflict do nothing`)
  await connection.query(
    sql.typeAlias('void')`delete from price_sample where hour < now() - interval '26 hours'`,
  )
}

/** Stores prices of earlier hours where none is stored. `hour` is the start of an hour. */
export async function addPriceSamples(
  connection: CommonQueryMethods,
  samples: readonly (Named & { hour: Date; usd: bigint })[],
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    insert into price_sample (chain_id, address, hour, usd)
    select * from ${sql.unnest(
      samples.map(({ chainId, address, hour, usd }) => [chainId, address, hour.toISOString(), String(usd)]),
      ['int8', 'text', 'timestamptz', 'numeric'],
    )}
    on conflict do nothing`)
}

const changeRow = tokenPriceRow.extend({ earlierUsd: z.bigint() })
/** A token's price now and earlier, both in units of 10^-30 dollars. */
export type PriceChangeRow = z.output<typeof changeRow>

/** The prices of these tokens now and in the hour that began `hours` ago, where both are known. */
export function listPriceChanges(
  connection: CommonQueryMethods,
  tokens: readonly Named[],
  hours: number,
): Promise<readonly PriceChangeRow[]> {
  return connection.any(sql.type(changeRow)`
    select now.chain_id as "chainId", now.address, now.usd, now.observed_at as "observedAt",
      earlier.usd as "earlierUsd"
    from token_price as now
    join price_sample as earlier on earlier.chain_id = now.chain_id and earlier.address = now.address
      and earlier.hour = date_trunc('hour', now() - make_interval(hours => ${hours}))
    where (now.chain_id, now.address) in (select * from ${namesOf(tokens)})
      and now.observed_at > now() - interval '1 hour'`)
}
