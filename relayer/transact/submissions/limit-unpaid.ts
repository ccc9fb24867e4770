import type { CommonQueryMethods } from 'slonik'
import { countUnpaidQuotes, countUnderWay } from '../../../db/transact/intents-submit.ts'
import type { SubmissionsConfig } from './config.ts'
import { tooManyFailed, tooManyUnderWay } from './errors.ts'

/**
 * Whoever moves funds away between simulation and block pays nothing and costs us gas: not as often as they like, and not
 * at once either. So what is under way counts as well, and from the first failure on it counts as if it failed too.
 *
 * @param own Of what is under way, the quotes that ask to be.
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
