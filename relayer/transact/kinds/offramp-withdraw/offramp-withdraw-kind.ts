import { findCashOrder } from '../../../../db/transact/cash-orders.ts'
import { findLiveCashWithdrawal } from '../../../../db/transact/cash-withdrawals.ts'
import type { Chain } from '../../../chain/nodes/chain.ts'
import { badRequest } from '../../../errors.ts'
import { quoteRefreshRequired } from '../../errors.ts'
import type { DepositState } from '../../venues/cash-out/cash-out-venue.ts'
import { cashOutVenueOf, findCashOutVenue } from '../../venues/cash-out/cash-out-venues.ts'
import { hasArrived } from '../check-parties.ts'
import { usualKind, type KindContext, type QuoteKind } from '../quote-kind.ts'
import type { QuotePlan } from '../quote-plan.ts'
import {
  cashOutNotFound,
  nothingToWithdraw,
  withdrawalLeavesTooLittle,
  withdrawalTooLarge,
  withdrawalUnderWay,
} from './errors.ts'
import type { OfframpWithdrawRequest } from './offramp-withdraw-request.ts'
import { planCashWithdrawal, cashWithdrawalDetails } from './plan-cash-withdrawal.ts'

/** The depositor takes back the part of a cash-out that no buyer holds; what comes back pays for the gas. */
export const offrampWithdrawKind: QuoteKind<OfframpWithdrawRequest, never> = {
  ...usualKind,
  plan: (context, request) => plan(context, request, false),
  planAgain(context, { details }) {
    const { depositId, amount } = cashWithdrawalDetails.parse(details)
    const { chainId } = context.sending
    const request = { chainId, depositId, amount: amount === null ? null : BigInt(amount) }
    return plan(context, { kind: 'offramp_withdraw', ttl: undefined, ...request }, true)
  },
  planMax: () => Promise.reject(new Error('nobody asks for the most that can be withdrawn')),
  checkSubmission(run, { token }, parts) {
    // More is fine: a stranger added to the deposit, or a buyer gave up.
    if (!hasArrived(run, token, parts))
      throw quoteRefreshRequired('Another amount can be taken back now: refresh the quote')
  },
  explainFailure: () => quoteRefreshRequired('So much cannot be taken back now: refresh the quote'),
  activity: () => ({ kind: 'SELF', isExchange: false }),
}

/** @param isRefresh The quote to be replaced already holds the deposit. */
async function plan(
  context: KindContext,
  { chainId, depositId, amount }: OfframpWithdrawRequest,
  isRefresh: boolean,
): Promise<QuotePlan> {
  const { database, accountId, sending } = context
  if (amount === 0n) throw badRequest('amount: expected more than zero')
  const order = await findCashOrder(database, accountId, { ...readName(sending.chain, depositId), chainId })
  if (!order) throw cashOutNotFound()
  const own = { ...order, derivationNonce: Number(order.derivationNonce) }
  const other = isRefresh ? null : await findLiveCashWithdrawal(database, accountId, own)
  if (other) throw withdrawalUnderWay({ details: { quoteId: other.quoteId } })
  // An escrow that is no longer configured counts too: its deposits still belong to the account.
  const venue = cashOutVenueOf('peer')
  const state = await venue.readDeposit(sending.chain, own)
  const available = state?.withdrawable ?? 0n
  const held = state?.held ?? 0n
  if (!state || available === 0n) throw nothingToWithdraw({ details: { held } })
  if (amount !== null && amount > available) throw withdrawalTooLarge({ details: { available, held } })
  const takesAll = amount === null || (amount === available && held === 0n)
  if (!takesAll) demandLeft(state, amount)
  return planCashWithdrawal(venue, own, state, { depositId, amount, takesAll })
}

/** @throws ServiceError `bad-request` WITHDRAWAL_LEAVES_TOO_LITTLE where the escrow would end the sale. */
function demandLeft({ withdrawable, free, leastLeft }: DepositState, amount: bigint): void {
  // The escrow frees expired claims only for a withdrawal that needs them.
  const left = (amount > free ? withdrawable : free) - amount
  if (left < leastLeft) throw withdrawalLeavesTooLittle({ details: { leastLeft } })
}

/**
 * Reads the deposit's name: its escrow and number, or its number alone in the configured escrow.
 * @throws ServiceError `not-found` for a number alone if no escrow is configured.
 */
function readName(chain: Chain, depositId: string): { escrow: string; depositId: bigint } {
  const [number = '', named] = depositId.split('_').toReversed()
  const escrow = named ?? findCashOutVenue(chain)?.offer.escrow
  if (escrow === undefined) throw cashOutNotFound()
  return { escrow, depositId: BigInt(number) }
}
