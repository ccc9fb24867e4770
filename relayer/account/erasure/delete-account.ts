import type { DatabasePool } from 'slonik'
import { ACCOUNT_TABLES } from '../../../db/account-tables.ts'
import { eraseAccountRows, lockForErasure } from '../../../db/account/erasure/erase-account.ts'
import { retireSubdomain } from '../../../db/account/subdomains/subdomains.ts'
import type { TransientSecrets } from '../../identity/transient-secrets.ts'
import { rememberLife } from '../profile/earlier-accounts.ts'
import { quotesUnderWay } from './errors.ts'

/**
 * Deletes an account and everything about it, except what is another account's as well. Its name is never given out
 * again, and what it did on the chains stays there.
 *
 * @param secrets With which it is remembered, by a keyed hash, how many addresses the account had: should it be made again, they
 * have a past.
 * @returns False when there is no such account.
 * @throws ServiceError `conflict` while a payment of it is under way.
 */
export function deleteAccount(
  database: DatabasePool,
  accountId: string,
  secrets?: Pick<TransientSecrets, 'digest'>,
): Promise<boolean> {
  return database.transaction(async (connection) => {
    const underWay = await lockForErasure(connection, accountId)
    if (underWay === null) return false
    if (underWay > 0)
      throw quotesUnderWay(`${underWay} of the account’s quotes are under way; wait or unlock them`)
    if (secrets) await rememberLife(connection, secrets, accountId)
    await retireSubdomain(connection, accountId)
    await eraseAccountRows(connection, accountId, ACCOUNT_TABLES)
    return true
  })
}
