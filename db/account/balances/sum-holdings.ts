import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import { isOneOf, type TokenName } from './address-holdings.ts'
import { byAccount } from '../../account-table.ts'

/** How an account's erasure and export treat the table. */
export const accountHoldingTable = byAccount('account_holding')

const tokenSum = z.object({
  chainId: smallInteger,
  token: hexText,
  /** Smallest unit; quotes have reserved `locked`, the rest is `free`. */
  free: z.bigint(),
  locked: z.bigint(),
})
/** An account's total of one token, in its smallest unit; quotes have reserved `locked` of it. */
export type TokenSum = z.output<typeof tokenSum>

/**
 * Sums the native coins and ERC-20s of all addresses of an account, by token. `only` selects a chain, a token of it or
 * a set of tokens, and limits the rows. The cost does not depend on the number of addresses.
 */
export function sumHoldings(
  connection: CommonQueryMethods,
  accountId: string,
  only: { chainId?: number; token?: string; tokens?: readonly TokenName[]; most?: number } = {},
): Promise<readonly TokenSum[]> {
  const { chainId = null, token = null } = only
  return connection.any(sql.type(tokenSum)`
    select chain_id as "chainId", token,
      greatest(held.amount - coalesce(locked.amount, 0), 0) as free,
      least(held.amount, coalesce(locked.amount, 0)) as locked
    from account_holding as held
    left join (
      select chain_id, token, sum(amount) as amount from locked_funds
      where owner_account_id = ${accountId}::uuid and amount > 0 group by chain_id, token
    ) as locked using (chain_id, token)
    where account_id = ${accountId}::uuid and held.amount > 0
      and (${chainId}::bigint is null or held.chain_id = ${chainId}::bigint)
      and (${token}::text is null or held.token = ${token}::text)
      and ${isOneOf(only.tokens)}
    order by chain_id, token limit ${only.most ?? null}`)
}
