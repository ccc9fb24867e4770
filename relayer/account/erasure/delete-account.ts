import type { DatabasePool } from 'slonik'
import { ACCOUNT_TABLES } from '../../../db/account-tables.ts'
import { eraseAccountRows, lockForErasure } from '../../../db/account/erasure/erase-account.ts'
import { retireSubdomain } from '../../../db/account/subdomains/subdomains.ts'
import { quotesUnderWay } from './errors.ts'

/**
 * Deletes an account and everything about it, except what is another account's as well. Its name is never given out
 * again, and what it did on the chains stays there.
 *
 * @returns False when there is no such account.
 * @throws ServiceError `conflict` while a payment of it is under way.
 */
export function deleteAccount(database: DatabasePool, accountId: string): Promise<boolean> {
  return database.transaction(async (connection) => {
    const underWay = await lockForErasure(connection, accountId)
    if (underWay === null) return false
    if (underWay > 0)
      throw quotesUnderWay(`${underWay} of the account’s quotes are under way; wait or unlock them`)
    await retireSubdomain(connection, accountId)
    await eraseAccountRows(connection, accountId, ACCOUNT_TABLES)
    return true
  })
}
