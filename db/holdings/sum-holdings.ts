import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../broadcast/outbound-rows.ts'
import { sql } from '../connect-database.ts'

const tokenSum = z.object({
  chainId: smallInteger,
  token: hexText,
  /** Smallest unit; what quotes have promised is `locked`, the rest `free`. */
  free: z.bigint(),
  locked: z.bigint(),
})
export type TokenSum = z.output<typeof tokenSum>

/**
 * What all addresses of an account have, token by token: native coins and ERC-20s. `only` narrows it to a chain, or a
 * token of it. Funds that left since they were promised count as neither.
 */
export function sumHoldings(
  connection: CommonQueryMethods,
  accountId: string,
  only: { chainId?: number; token?: string } = {},
): Promise<readonly TokenSum[]> {
  const { chainId = null, token = null } = only
  return connection.any(sql.type(tokenSum)`
    select holding.chain_id as "chainId", holding.token,
      sum(greatest(holding.amount - coalesce(locked.amount, 0), 0)) as free,
      sum(least(holding.amount, coalesce(locked.amount, 0))) as locked
    from stealth_address
    join holding using (address)
    left join locked_funds as locked using (chain_id, address, token)
    where account_id = ${accountId}::uuid and standard in ('native', 'erc20') and holding.amount > 0
      and (${chainId}::bigint is null or holding.chain_id = ${chainId}::bigint)
      and (${token}::text is null or holding.token = ${token}::text)
    group by holding.chain_id, holding.token
    order by holding.chain_id, holding.token`)
}

const tokenId = z.object({ chainId: smallInteger, token: hexText })

/** Every fungible token that an address of the account has or ever received. */
export function listHeldTokens(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<readonly z.output<typeof tokenId>[]> {
  return connection.any(sql.type(tokenId)`
    select chain_id as "chainId", token from stealth_address join holding using (address)
    where account_id = ${accountId}::uuid and standard in ('native', 'erc20')
    union
    select chain_id, token from stealth_address join transfer on to_address = address
    where account_id = ${accountId}::uuid and standard in ('native', 'erc20')
    order by "chainId", token`)
}
