import { tooManyFailed, tooManyUnderWay } from '../errors.ts'
import type { Submittable } from '../../../db/transact/intents-submit.ts'
import type { SubmissionsConfig } from './config.ts'

/**
 * Limits the cost of an account's failures. A payment whose funds move away between simulation and block pays nothing
 * and costs gas. Pending quotes count too, and from the first failure on as if they had failed. Swaps fail when prices
 * move. They have a limit of their own, so that failed swaps do not stop sends, nor failed sends swaps.
 *
 * @param asking `isVolatile`: a swap whose price may move, with any slippage, also with a bridge after it. `others`:
 * the account's other quotes.
 * @throws ServiceError `forbidden` TOO_MANY_FAILED, `too-many-requests` TOO_MANY_UNDER_WAY.
 */
export function limitUnpaid(
  { maxUnpaid, maxUnpaidSwaps, maxUnderWay }: SubmissionsConfig,
  { isVolatile, others }: Pick<Submittable, 'isVolatile' | 'others'>,
): void {
  const atMost = isVolatile ? maxUnpaidSwaps : maxUnpaid
  const { unpaid, underWay, alike } = others
  if (unpaid >= atMost) throw tooManyFailed()
  if (underWay >= maxUnderWay) throw tooManyUnderWay(messageOf(maxUnderWay))
  // After a failure the pending quotes may fail as well; only those of the same sort count to this limit.
  if (unpaid > 0 && alike >= atMost - unpaid) throw tooManyUnderWay(messageOf(atMost - unpaid))
}

const messageOf = (most: number) => `So many payments of this account are pending: ${most}`
