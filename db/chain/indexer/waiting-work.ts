import type { CommonQueryMethods, FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import { askInOneStatement } from '../../ask-in-one-statement.ts'
import { sql } from '../../connect-database.ts'
import { isDue } from './holdings.ts'
import { isNewcomer } from './watched-addresses.ts'

/** A chain to check, and the creation time from which addresses may be new to it. */
export interface AskedChain {
  chainId: number
  newcomersFrom: Date | null
}

/**
 * Returns the chains with indexing work besides new blocks. Work is new addresses, stale holdings, unread history,
 * blocks to read again, a problem, or a state other than live. One short statement for all chains, because it runs all
 * the time.
 */
export async function listWaiting(
  pool: CommonQueryMethods,
  asked: readonly AskedChain[],
): Promise<ReadonlySet<number>> {
  if (asked.length === 0) return new Set()
  const row = await pool.one(sql.type(z.object({ waiting }))`select (${waitingAmong(asked)}) as waiting`)
  return new Set(row.waiting)
}

/** The same, batched with other questions. */
export async function listWaitingTogether(
  pool: CommonQueryMethods,
  asked: readonly AskedChain[],
): Promise<ReadonlySet<number>> {
  return asked.length === 0 ? new Set() : new Set(await askInOneStatement(pool, waitingAmong(asked), waiting))
}

const waiting = z.array(z.int())

function waitingAmong(asked: readonly AskedChain[]): FragmentSqlToken {
  const each = asked.map(
    ({ chainId, newcomersFrom }) => sql.fragment`select ${chainId}::int8 as "chainId"
      where exists (select from indexed_chain
          where chain_id = ${chainId} and (state <> 'live' or problem is not null))
        or exists (select from holding where chain_id = ${chainId} and ${isDue})
        or exists (select from watched_address
          where chain_id = ${chainId} and history_next is not null and pass is null)
        or exists (select from watched_address where chain_id = ${chainId} and pass is not null)
        or exists (select from left_out_block where chain_id = ${chainId} and retry_at <= now())
        or exists (select from (
          select from stealth_address where ${isNewcomer(chainId, newcomersFrom)}
          order by created_at, address limit 1) as newcomer)`,
  )
  return sql.fragment`select coalesce(jsonb_agg("chainId"), '[]')
    from (${sql.join(each, sql.fragment` union all `)}) as chain`
}
