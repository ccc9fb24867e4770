import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

/** Counts the given addresses that belong to the account; each must be given once. */
export const countOwnAddresses = (
  connection: CommonQueryMethods,
  accountId: string,
  addresses: readonly string[],
): Promise<number> =>
  connection.oneFirst(sql.type(z.object({ count: smallInteger }))`
    select count(*) as count from stealth_address
    where account_id = ${accountId}::uuid and address = any(${sql.array([...addresses], 'text')})`)
