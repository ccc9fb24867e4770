import { findLiveRecovery } from '../../../../db/transact/pool-recoveries.ts'
import { quoteRefreshRequired } from '../../errors.ts'
import { hasArrived } from '../check-parties.ts'
import { usualKind, type KindContext, type QuoteKind } from '../quote-kind.ts'
import type { QuotePlan } from '../quote-plan.ts'
import { checkNote, demandDeposit } from './check-recovery.ts'
import { decodeRagequit } from './decode-ragequit.ts'
import { alreadyRecovered, recoveryUnderWay } from './errors.ts'
import { planRecovery, recoveryDetails } from './plan-recovery.ts'
import type { PoolRecoverRequest } from './pool-recover-request.ts'

/** The depositor takes back the rest of a deposit in public; what comes back pays for the gas. */
export const poolRecoverKind: QuoteKind<PoolRecoverRequest, never> = {
  ...usualKind,
  plan: (context, request) => plan(context, request, false),
  planAgain: (context, { details }) => {
    const { chainId } = context.sending
    return plan(
      context,
      { kind: 'pool_recover', chainId, ttl: undefined, ...recoveryDetails.parse(details) },
      true,
    )
  },
  planMax: () => Promise.reject(new Error('nobody asks for the most that can be recovered')),
  checkSubmission(run, { token }, parts) {
    if (!hasArrived(run, token, parts))
      throw quoteRefreshRequired('The token would not come back whole: refresh the quote')
  },
  activity: () => ({ kind: 'POOL_RECOVER', isExchange: false }),
}

/** @param isRefresh The quote to be replaced already holds the deposit. */
async function plan(
  context: KindContext,
  request: PoolRecoverRequest,
  isRefresh: boolean,
): Promise<QuotePlan> {
  const { database, accountId } = context
  const note = decodeRagequit(request.recoverCalldata)
  const deposit = await demandDeposit(context, accountId, note.label)
  const { chainId, pool } = deposit
  const other = isRefresh
    ? null
    : await findLiveRecovery(database, accountId, { chainId, pool, label: note.label })
  if (other?.isDone) throw alreadyRecovered()
  if (other) throw recoveryUnderWay({ details: { quoteId: other.quoteId } })
  await checkNote(context, deposit, note, request)
  return planRecovery(deposit, note, request)
}
