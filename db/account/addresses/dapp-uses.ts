import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { byAccount } from '../../account-table.ts'

/** What an account's erasure and export make of it. */
export const dappUseTable = byAccount('dapp_use')

const useRow = z.object({ address: z.string(), origin: z.string(), lastUsedAt: z.date() })
/** An address, the origin of an app that it was shown to, and when that last happened. */
export type DappUseRow = z.output<typeof useRow>

/** Which apps were shown which addresses, the latest use first. */
export function listDappUses(
  connection: CommonQueryMethods,
  accountId: string,
  page: { limit: number; offset: number },
): Promise<readonly DappUseRow[]> {
  return connection.any(sql.type(useRow)`
    select address, origin, last_used_at as "lastUsedAt" from dapp_use where account_id = ${accountId}
    order by last_used_at desc, address, origin limit ${page.limit} offset ${page.offset}`)
}

/** The same for some addresses alone. */
export function listUsesOfAddresses(
  connection: CommonQueryMethods,
  addresses: readonly string[],
): Promise<readonly DappUseRow[]> {
  return connection.any(sql.type(useRow)`
    select address, origin, last_used_at as "lastUsedAt" from dapp_use
    where address = any(${sql.array([...addresses], 'text')}) order by last_used_at desc, origin`)
}
