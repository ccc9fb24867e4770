import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

const fundedAddress = z.object({
  address: hexText,
  derivationNonce: z.int(),
  /** Apps that were shown the address, the latest first. */
  usedOrigins: z.array(z.string()),
})
/** An address that has something now. */
export type FundedAddressRow = z.output<typeof fundedAddress>

/** A token as holdings and transfers name it; addresses are stored checksummed, the zero address is the native coin. */
export interface TokenName {
  chainId: number
  address: string
}

/** Whose holdings, narrowed to an address, a chain, a token or a set of tokens. */
export interface HoldingFilter {
  accountId: string
  address?: string | undefined
  chainId?: number | undefined
  token?: string | undefined
  /** None but these; null or undefined for all. */
  tokens?: readonly TokenName[] | null | undefined
}

/** Whether the columns `chain_id` and `token` name one of these tokens. */
export const isOneOf = (tokens: readonly TokenName[] | null | undefined) =>
  tokens
    ? sql.fragment`(chain_id, token) in (select * from ${sql.unnest(
        tokens.map(({ chainId, address }) => [chainId, address]),
        ['int8', 'text'],
      )})`
    : sql.fragment`true`

/** Found by what the account holds now, not by all of its addresses: most of those may be used up. */
const fundedAddresses = (filter: HoldingFilter) => sql.fragment`
  select distinct address from holding
  where owner_account_id = ${filter.accountId}::uuid and standard in ('native', 'erc20') and amount > 0
    and (${filter.address ?? null}::text is null or address = ${filter.address ?? null}::text)
    and (${filter.chainId ?? null}::bigint is null or chain_id = ${filter.chainId ?? null}::bigint)
    and (${filter.token ?? null}::text is null or token = ${filter.token ?? null}::text)
    and ${isOneOf(filter.tokens)}`

/**
 * The account's addresses that hold what the filter asks for, by derivationNonce, all of them without a limit; and how many
 * there are on all pages.
 */
export function listFundedAddresses(
  connection: CommonQueryMethods,
  filter: HoldingFilter,
  page: { limit: number | null; offset: number } = { limit: null, offset: 0 },
): Promise<{ rows: readonly FundedAddressRow[]; total: number }> {
  return connection.one(sql.type(z.object({ rows: z.array(fundedAddress), total: smallInteger }))`
    with funded as materialized (${fundedAddresses(filter)}), page as (
      select address, derivation_nonce from funded join stealth_address using (address)
      order by derivation_nonce limit ${page.limit} offset ${page.offset}
    )
    select (select count(*) from funded) as total, coalesce((
      select jsonb_agg(jsonb_build_object('address', address, 'derivationNonce', derivation_nonce, 'usedOrigins', array(
        select origin from dapp_use where dapp_use.address = page.address order by last_used_at desc, origin))
        order by derivation_nonce)
      from page
    ), '[]') as rows`)
}

const addressHolding = z.object({
  address: hexText,
  chainId: smallInteger,
  token: hexText,
  free: z.bigint(),
  locked: z.bigint(),
})
/** What one address has of one token, smallest unit; `locked` is what quotes have promised of it. */
export type AddressHoldingRow = z.output<typeof addressHolding>

/** Native coins and ERC-20s of the addresses, narrowed to a chain, a token of it, or a set of tokens. */
export function listAddressHoldings(
  connection: CommonQueryMethods,
  addresses: readonly string[],
  only: Pick<HoldingFilter, 'chainId' | 'token' | 'tokens'> = {},
): Promise<readonly AddressHoldingRow[]> {
  const { chainId = null, token = null } = only
  return connection.any(sql.type(addressHolding)`
    select address, chain_id as "chainId", token,
      greatest(holding.amount - coalesce(locked.amount, 0), 0) as free,
      least(holding.amount, coalesce(locked.amount, 0)) as locked
    from holding left join locked_funds as locked using (chain_id, address, token)
    where address = any(${sql.array(addresses, 'text')}) and standard in ('native', 'erc20') and holding.amount > 0
      and (${chainId}::bigint is null or chain_id = ${chainId}::bigint)
      and (${token}::text is null or token = ${token}::text)
      and ${isOneOf(only.tokens)}
    order by address, chain_id, token`)
}

const received = z.object({
  address: hexText,
  /** Null together with `token`: the sum of all tokens that are not listed one by one. */
  chainId: smallInteger.nullable(),
  token: hexText.nullable(),
  receiveCount: smallInteger,
  lastReceivedAt: z.date(),
})
/** How often an address was sent a token, and when last. */
export type ReceivedRow = z.output<typeof received>

/**
 * What the addresses were sent. One row for each address and token; anybody can send any number of tokens, so those that
 * are not among `only.tokens`, and those after the first `only.most` rows, by the time of the first receipt, are one row
 * of each address.
 */
export function countReceived(
  connection: CommonQueryMethods,
  addresses: readonly string[],
  only: { tokens?: readonly TokenName[]; most?: number },
): Promise<readonly ReceivedRow[]> {
  const isTold = sql.fragment`place <= ${only.most ?? Number.MAX_SAFE_INTEGER} and ${isOneOf(only.tokens)}`
  return connection.any(sql.type(received)`
    select address, case when ${isTold} then chain_id end as "chainId", case when ${isTold} then token end as token,
      sum(times)::bigint as "receiveCount", max(last_at) as "lastReceivedAt"
    from (
      select to_address as address, chain_id, token, count(*) as times, max(block_time) as last_at,
        row_number() over (order by min(block_time), chain_id, token) as place
      from transfer
      where to_address = any(${sql.array(addresses, 'text')}) and standard in ('native', 'erc20')
      group by to_address, chain_id, token
    ) as received
    group by address, 2, 3`)
}
