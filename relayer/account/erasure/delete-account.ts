import type { DatabasePool } from 'slonik'
import { ACCOUNT_TABLES } from '../../../db/account-tables.ts'
import { eraseAccountRows, lockForErasure } from '../../../db/account/erasure/erase-account.ts'
import { retireSubdomain } from '../../../db/account/subdomains/subdomains.ts'
import type { TransientSecrets } from '../../identity/transient-secrets.ts'
import { rememberLife } from '../profile/earlier-accounts.ts'
import { quotesUnderWay } from './errors.ts'

/**
 * Deletes an account and its data, except rows that also belong to another account. Its name is never issued again,
 * and its history on the chains stays there.
 *
 * @param secrets Key of the hash under which the number of the account's addresses is stored. If the account is
 * created again, those addresses have a past.
 * @returns False if there is no such account.
 * @throws ServiceError `conflict` while the account has a pending payment.
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
