import type { SubmittableQuote } from '../../../db/transact/intents-submit.ts'
import type { SubmissionsConfig } from './config.ts'
import { tooManyFailed, tooManyUnderWay } from './errors.ts'

/**
 * Limits what an account's failures can cost: funds that are moved away between simulation and block pay nothing and
 * cost us gas. Quotes under way count as well, and from the first failure on as if they failed too. Swaps fail when prices
 * move, and have a limit of their own: they keep nobody from sending, nor sends from swapping.
 *
 * @param asking `isVolatile`: a swap whose price may move, with whatever slippage, and with a bridge behind it. `others`: what
 * else the account has.
 * @throws ServiceError `forbidden` TOO_MANY_FAILED, `too-many-requests` TOO_MANY_UNDER_WAY.
 */
export function limitUnpaid(
  { maxUnpaid, maxUnpaidSwaps, maxUnderWay }: SubmissionsConfig,
  { isVolatile, others }: Pick<SubmittableQuote, 'isVolatile' | 'others'>,
): void {
  const atMost = isVolatile ? maxUnpaidSwaps : maxUnpaid
  const { unpaid, underWay, alike } = others
  if (unpaid >= atMost) throw tooManyFailed()
  if (underWay >= maxUnderWay) throw tooManyUnderWay(messageOf(maxUnderWay))
  // From the first failure on what is under way may fail as well; only what is alike counts to this limit.
  if (unpaid > 0 && alike >= atMost - unpaid) throw tooManyUnderWay(messageOf(atMost - unpaid))
}

const messageOf = (most: number) => `So many payments of this account are under way: ${most}`
