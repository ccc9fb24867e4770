import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { keepRows } from '../../account-table.ts'

/** How an account's erasure and export treat the tables. */
export const tokenSourceTables = ['token_source', 'held_token_source'].map((table) =>
  keepRows(table, 'addresses of tokens'),
)

const tokenSourceRow = z.object({
  chainId: z.bigint().transform(Number),
  address: z.string(),
  source: z.string(),
  sourceId: z.string(),
  symbol: z.string().nullable(),
  name: z.string().nullable(),
  decimals: z.number().nullable(),
  logoUrl: z.string().nullable(),
  externalUrl: z.string().nullable(),
  totalSupply: z.bigint().nullable(),
  wasHidden: z.boolean(),
  firstSeenAt: z.date(),
  lastSeenAt: z.date(),
})

/** One source's description of a token. Texts are sanitised before they arrive here. */
export type TokenSourceRow = z.output<typeof tokenSourceRow>
/** A source's current description; the database sets the times. */
export type NewTokenSource = Omit<TokenSourceRow, 'firstSeenAt' | 'lastSeenAt'>

/** public: the token was looked up. held: an account holds it, which must not become visible to others. */
export type SourceScope = 'public' | 'held'

const tableOf = (scope: SourceScope) =>
  scope === 'public' ? sql.fragment`token_source` : sql.fragment`held_token_source`

const everywhere = sql.fragment`(select * from token_source union all select * from held_token_source) as known`

/** Stores current descriptions; the time of the first one stays. One row order rules out deadlock. */
export async function recordTokenSources(
  connection: CommonQueryMethods,
  sources: readonly NewTokenSource[],
  scope: SourceScope,
): Promise<void> {
  if (sources.length === 0) return
  await connection.query(sql.typeAlias('void')`
    insert into ${tableOf(scope)} (chain_id, address, source, source_id, symbol, name, decimals, logo_url, external_url,
      total_supply, was_hidden)
    select * from ${sql.unnest(
      sources.map((item) => [
        item.chainId,
        item.address,
        item.source,
        item.sourceId,
        item.symbol,
        item.name,
        item.decimals,
        item.logoUrl,
        item.externalUrl,
        item.totalSupply === null ? null : String(item.totalSupply),
        item.wasHidden,
      ]),
      ['int8', 'text', 'text', 'text', 'text', 'text', 'int4', 'text', 'text', 'numeric', 'bool'],
    )} as said (chain_id, address, source)
    order by chain_id, address, source
    on conflict (chain_id, address, source) do update set source_id = excluded.source_id, symbol = excluded.symbol,
      name = excluded.name, decimals = excluded.decimals, logo_url = excluded.logo_url,
      external_url = excluded.external_url, total_supply = excluded.total_supply, was_hidden = excluded.was_hidden,
      last_seen_at = now()`)
}

/**
 * Lists each source's latest description of these tokens, the first to know a token first.
 * @param scope `all` must not leave the service.
 */
export function listTokenSources(
  connection: CommonQueryMethods,
  tokens: readonly { chainId: number; address: string }[],
  scope: 'public' | 'all',
): Promise<readonly TokenSourceRow[]> {
  return connection.any(sql.type(tokenSourceRow)`
    select chain_id as "chainId", address, source, source_id as "sourceId", symbol, name, decimals,
      logo_url as "logoUrl", external_url as "externalUrl", total_supply as "totalSupply", was_hidden as "wasHidden",
      first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt"
    from (
      select distinct on (chain_id, address, source) *
      from ${scope === 'public' ? tableOf('public') : everywhere} where (chain_id, address) in (
        select * from ${sql.unnest(
          tokens.map(({ chainId, address }) => [chainId, address]),
          ['int8', 'text'],
        )})
      order by chain_id, address, source, last_seen_at desc
    ) as said
    order by first_seen_at, source`)
}

const tokenNameRow = z.object({ chainId: z.bigint().transform(Number), address: z.string() })

const strangerRow = tokenNameRow.extend({ isPublic: z.boolean() })

/** Lists the newest `limit` tokens that this source has not described, each looked up or only held. */
export function listUnrecognised(
  connection: CommonQueryMethods,
  source: string,
  limit: number,
): Promise<readonly z.output<typeof strangerRow>[]> {
  return connection.any(sql.type(strangerRow)`
    select chain_id as "chainId", address, bool_or(is_public) as "isPublic" from (
      select *, true as is_public from token_source union all select *, false from held_token_source
    ) as known
    -- One that became public after it was recognised has been recognised for its holders alone.
    group by chain_id, address
    having not coalesce(bool_or(source = ${source}) filter (where is_public), false)
      and (bool_or(is_public) or not bool_or(source = ${source}))
    order by max(first_seen_at) desc, chain_id, address limit ${limit}`)
}

/**
 * Lists at most `limit` described tokens that accounts added or hold: each account's first before any account's second,
 * and so on. An account's own additions come first, then held tokens by how long sources have known them. Tokens sent
 * by strangers thus come last.
 */
export function listTokensByAccounts(
  connection: CommonQueryMethods,
  limit: number,
): Promise<readonly z.output<typeof tokenNameRow>[]> {
  return connection.any(sql.type(tokenNameRow)`
    with described as materialized (
      select chain_id, address, min(first_seen_at) as first_seen_at from ${everywhere} group by chain_id, address
    ), placed as (
      select chain_id, address, row_number() over (
        partition by account_id order by position nulls last, first_seen_at, chain_id, address
      ) as place
      from (
        select account_id, chain_id, token as address, null::bigint as position from account_holding where amount > 0
        union all
        select account_id, chain_id, address, position from account_token
      ) as wanted join described using (chain_id, address)
    )
    select chain_id as "chainId", address from placed
    group by chain_id, address order by min(place), count(*) desc, chain_id, address limit ${limit}`)
}

/** Lists the `limit` tokens with the latest descriptions. */
export function listKnownTokens(
  connection: CommonQueryMethods,
  limit: number,
): Promise<readonly z.output<typeof tokenNameRow>[]> {
  return connection.any(sql.type(tokenNameRow)`
    select chain_id as "chainId", address from ${everywhere}
    group by chain_id, address order by max(last_seen_at) desc, chain_id, address limit ${limit}`)
}
