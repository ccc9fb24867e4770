import type { CommonQueryMethods } from 'slonik'
import { countUnpaidQuotes, countUnderWay } from '../../../db/transact/intents-submit.ts'
import type { SubmissionsConfig } from './config.ts'
import { tooManyFailed, tooManyUnderWay } from './errors.ts'

/**
 * Limits what an account's failures can cost: funds that are moved away between simulation and block pay nothing and
 * cost us gas. Quotes under way count as well, and from the first failure on as if they failed too. Swaps fail when prices
 * move, and have a limit of their own: they keep nobody from sending, nor sends from swapping.
 *
 * @param asking `isVolatile`: a swap whose price may move, with whatever slippage, and with a bridge behind it.
 * @param own The asking quotes among those under way.
 * @throws ServiceError `forbidden` TOO_MANY_FAILED, `too-many-requests` TOO_MANY_UNDER_WAY.
 */
export async function limitUnpaid(
  connection: CommonQueryMethods,
  { maxUnpaid, maxUnpaidSwaps, maxUnderWay, unpaidWindowMs }: SubmissionsConfig,
  { accountId, isVolatile }: { accountId: string; isVolatile: boolean },
  own: 0 | 1,
): Promise<void> {
  const atMost = isVolatile ? maxUnpaidSwaps : maxUnpaid
  const unpaid = await countUnpaidQuotes(connection, accountId, { withinMs: unpaidWindowMs, isVolatile })
  if (unpaid >= atMost) throw tooManyFailed()
  const underWay = await countUnderWay(connection, accountId, { isVolatile })
  if (underWay.all - own >= maxUnderWay) throw tooManyUnderWay(messageOf(maxUnderWay))
  // From the first failure on what is under way may fail as well; only what is alike counts to this limit.
  if (unpaid > 0 && underWay.alike - own >= atMost - unpaid) throw tooManyUnderWay(messageOf(atMost - unpaid))
}

const messageOf = (most: number) => `So many payments of this account are under way: ${most}`
