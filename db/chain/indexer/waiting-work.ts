import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { isNewcomer } from './watched-addresses.ts'

const waiting = z.object({ isWaiting: z.boolean() })

/**
 * Whether a chain has work for the indexer besides new blocks: new addresses, stale holdings, a past that was not read, or a
 * state that says so. One short statement, for it is asked all the time.
 *
 * @param since The newest address that was found before.
 */
export function hasWaitingWork(
  pool: CommonQueryMethods,
  chainId: number,
  since: Date | null,
): Promise<boolean> {
  return pool.oneFirst(sql.type(waiting)`
    select exists (select from indexed_chain where chain_id = ${chainId} and (state <> 'live' or problem is not null))
      or exists (select from holding where chain_id = ${chainId} and stale)
      or exists (select from watched_address where chain_id = ${chainId} and history_next is not null)
      or exists (select from stealth_address where ${isNewcomer(chainId, since)}) as "isWaiting"`)
}
