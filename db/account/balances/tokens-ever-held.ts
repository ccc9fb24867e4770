import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import { isOneOf, type TokenName } from './address-holdings.ts'

const tokensOfChain = z.object({ chainId: smallInteger, tokens: z.array(hexText) })

/**
 * Lists the tokens that the account held at the end of any block, at most `most`. There is one row per chain, since
 * anybody can send an account any number of tokens.
 */
export function listTokensEverHeld(
  connection: CommonQueryMethods,
  accountId: string,
  most: number,
): Promise<readonly z.output<typeof tokensOfChain>[]> {
  return connection.any(sql.type(tokensOfChain)`
    select chain_id as "chainId", array_agg(token) as tokens
    from (select chain_id, token from account_holding where account_id = ${accountId}::uuid limit ${most}) as held
    group by chain_id`)
}

const heldToken = z.object({ chainId: smallInteger, address: hexText })

/**
 * Lists unlisted tokens that the account ever held: all that it added, and `most` others. Tokens with a price come
 * first, then those known the longest.
 */
export function rankUnlistedTokens(
  connection: CommonQueryMethods,
  accountId: string,
  listed: readonly TokenName[],
  most: number,
): Promise<readonly z.output<typeof heldToken>[]> {
  return connection.any(sql.type(heldToken)`
    select chain_id as "chainId", token as address
    from (
      select chain_id, token, is_added, row_number() over (
        partition by is_added order by has_price desc, first_seen_at nulls last, chain_id, token
      ) as place
      from (
        select chain_id, token,
          exists (
            select from account_token as added
            where added.account_id = held.account_id and added.chain_id = held.chain_id and added.address = held.token
          ) as is_added,
          exists (
            select from token_price as price where price.chain_id = held.chain_id and price.address = held.token
          ) as has_price,
          (
            select min(first_seen_at) from (
              select first_seen_at from token_source as source
              where source.chain_id = held.chain_id and source.address = held.token
              union all
              select first_seen_at from held_token_source as source
              where source.chain_id = held.chain_id and source.address = held.token
            ) as known
          ) as first_seen_at
        from account_holding as held
        where account_id = ${accountId}::uuid and not ${isOneOf(listed)}
      ) as described
    ) as ranked
    where is_added or place <= ${most}`)
}
