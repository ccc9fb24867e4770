import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../broadcast/outbound-rows.ts'
import { sql } from '../connect-database.ts'

const fundedAddress = z.object({
  address: hexText,
  derivationNonce: smallInteger,
  lastReceivedAt: z.date().nullable(),
})
/** An address that has something now. */
export type FundedAddressRow = z.output<typeof fundedAddress>

export interface HoldingFilter {
  accountId: string
  address?: string | undefined
  chainId?: number | undefined
  token?: string | undefined
}

/** Found by what the account holds now, not by all of its addresses: most of those may be used up. */
const fundedAddresses = (filter: HoldingFilter) => sql.fragment`
  select distinct address from holding
  where owner_account_id = ${filter.accountId}::uuid and standard in ('native', 'erc20') and amount > 0
    and (${filter.address ?? null}::text is null or address = ${filter.address ?? null}::text)
    and (${filter.chainId ?? null}::bigint is null or chain_id = ${filter.chainId ?? null}::bigint)
    and (${filter.token ?? null}::text is null or token = ${filter.token ?? null}::text)`

/** The account's addresses that hold what the filter asks for, by derivationNonce; all of them without a limit. */
export function listFundedAddresses(
  connection: CommonQueryMethods,
  filter: HoldingFilter,
  page: { limit: number | null; offset: number } = { limit: null, offset: 0 },
): Promise<readonly FundedAddressRow[]> {
  return connection.any(sql.type(fundedAddress)`
    select address, derivation_nonce as "derivationNonce", (
      select max(block_time) from transfer where to_address = address and standard in ('native', 'erc20')
    ) as "lastReceivedAt"
    from (
      select address, derivation_nonce from (${fundedAddresses(filter)}) as funded join stealth_address using (address)
      order by derivation_nonce limit ${page.limit} offset ${page.offset}
    ) as page
    order by derivation_nonce`)
}

export async function countFundedAddresses(
  connection: CommonQueryMethods,
  filter: HoldingFilter,
): Promise<number> {
  const count = await connection.oneFirst(sql.type(z.object({ count: z.bigint() }))`
    select count(*) as count from (${fundedAddresses(filter)}) as funded`)
  return Number(count)
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

/** Native coins and ERC-20s of the addresses, narrowed to a chain or a token of it. */
export function listAddressHoldings(
  connection: CommonQueryMethods,
  addresses: readonly string[],
  only: { chainId?: number | undefined; token?: string | undefined } = {},
): Promise<readonly AddressHoldingRow[]> {
  const { chainId = null, token = null } = only
  return connection.any(sql.type(addressHolding)`
    select address, holding.chain_id as "chainId", holding.token,
      greatest(holding.amount - coalesce(locked.amount, 0), 0) as free,
      least(holding.amount, coalesce(locked.amount, 0)) as locked
    from holding left join locked_funds as locked using (chain_id, address, token)
    where address = any(${sql.array(addresses, 'text')}) and standard in ('native', 'erc20') and holding.amount > 0
      and (${chainId}::bigint is null or holding.chain_id = ${chainId}::bigint)
      and (${token}::text is null or holding.token = ${token}::text)
    order by address, holding.chain_id, holding.token`)
}

const received = z.object({
  address: hexText,
  chainId: smallInteger,
  token: hexText,
  receiveCount: smallInteger,
  lastReceivedAt: z.date(),
})
/** How often an address was sent a token, and when last. */
export type ReceivedRow = z.output<typeof received>

export function countReceived(
  connection: CommonQueryMethods,
  addresses: readonly string[],
): Promise<readonly ReceivedRow[]> {
  return connection.any(sql.type(received)`
    select to_address as address, chain_id as "chainId", token, count(*) as "receiveCount",
      max(block_time) as "lastReceivedAt"
    from transfer
    where to_address = any(${sql.array(addresses, 'text')}) and standard in ('native', 'erc20')
    group by to_address, chain_id, token`)
}
