import type { CommonQueryMethods } from 'slonik'
import { countUnpaidQuotes, countUnderWay } from '../../../db/transact/intents-submit.ts'
import type { SubmissionsConfig } from './config.ts'
import { tooManyFailed, tooManyUnderWay } from './errors.ts'

/**
 * Limits what an account's failures can cost: funds that are moved away between simulation and block pay nothing and
 * cost us gas. Quotes under way count as well, and from the first failure on as if they failed too.
 *
 * @param own The asking quotes among those under way.
 * @throws ServiceError `forbidden` TOO_MANY_FAILED, `too-many-requests` TOO_MANY_UNDER_WAY.
 */
export async function limitUnpaid(
  connection: CommonQueryMethods,
  { maxUnpaid, maxUnderWay, unpaidWindowMs }: SubmissionsConfig,
  accountId: string,
  own: 0 | 1,
): Promise<void> {
  const unpaid = await countUnpaidQuotes(connection, accountId, unpaidWindowMs)
  if (unpaid >= maxUnpaid) throw tooManyFailed()
  const most = unpaid === 0 ? maxUnderWay : Math.min(maxUnderWay, maxUnpaid - unpaid)
  if ((await countUnderWay(connection, accountId)) - own < most) return
  throw tooManyUnderWay(`So many payments of this account are under way: ${most}`)
}
