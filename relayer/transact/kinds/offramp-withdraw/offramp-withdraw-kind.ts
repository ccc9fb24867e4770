import { hexText } from '../../../../db/column-types.ts'
import { findCashOrder } from '../../../../db/transact/cash-orders.ts'
import {
  findLiveCashWithdrawal,
  insertCashWithdrawal,
  isCashWithdrawalTaken,
} from '../../../../db/transact/cash-withdrawals.ts'
import type { Chain } from '../../../chain/nodes/chain.ts'
import { badRequest } from '../../../errors.ts'
import { quoteRefreshRequired } from '../../errors.ts'
import type { DepositState, CashOutVenue } from '../../venues/cash-out/cash-out-venue.ts'
import { cashOutVenueOf, findCashOutVenue } from '../../venues/cash-out/cash-out-venues.ts'
import { hasArrived } from '../check-parties.ts'
import { usualKind, type KindContext, type QuoteKind, type ChainRequest } from '../quote-kind.ts'
import type { QuotePlan } from '../quote-plan.ts'
import {
  cashOutNotFound,
  nothingToWithdraw,
  withdrawalLeavesTooLittle,
  withdrawalTooLarge,
  withdrawalUnderWay,
} from './errors.ts'
import type { Address } from 'viem'
import { z } from 'zod'
import { simulationFailed } from '../../../chain/errors.ts'
import { PLAIN_EFFECTS } from '../../intents/simulated-run.ts'

/** Details of a withdrawal that its refresh and its submission need. */
const cashWithdrawalDetails = z.object({
  depositId: z.string(),
  /** Amount to take back, decimal digits; null for all. */
  amount: z.string().nullable(),
  escrow: hexText,
  /** Amount that comes back by the chain's state at the quote, decimal digits. */
  withdrawn: z.string(),
})

/** A deposit of the account in an escrow. */
interface OwnEscrowed {
  chainId: number
  escrow: Address
  depositId: bigint
  depositor: Address
  derivationNonce: number
}

/**
 * Plans one intent by the depositor: it takes tokens back, and pays for the gas out of them.
 * @param takesAll True if the deposit is closed: no amount was named, or one that leaves nothing.
 */
function planCashWithdrawal(
  venue: CashOutVenue,
  own: OwnEscrowed,
  { token, withdrawable }: DepositState,
  {
    depositId,
    amount,
    takesAll,
  }: Pick<OfframpWithdrawRequest, 'depositId' | 'amount'> & { takesAll: boolean },
): QuotePlan {
  const { escrow, depositor, derivationNonce } = own
  const withdrawn = amount ?? withdrawable
  return {
    token,
    funding: { from: 'calls', address: depositor, derivationNonce, amount: withdrawn },
    isNativeAtPar: false,
    gasKey: `offramp_withdraw ${escrow} ${own.depositId}`,
    calls: () => venue.withdrawCalls(own, takesAll ? null : amount),
    amount: 'max',
    recipient: { address: depositor, name: null, owned: true, poisoning: null },
    details: {
      depositId,
      amount: amount === null ? null : String(amount),
      escrow,
      withdrawn: String(withdrawn),
    } satisfies z.input<typeof cashWithdrawalDetails>,
    effects: PLAIN_EFFECTS,
    checkRun(run, parts) {
      if (!hasArrived(run, token, parts)) throw simulationFailed('The escrow would return less than it holds')
    },
    isVolatile: true,
    // A buyer may claim a part of the whole before the block; a named amount comes whole or not at all.
    outputOf: (kept, described) => ({
      token: described,
      expected: kept,
      minimum: takesAll ? 0n : kept,
    }),
    members: { depositId, withdrawnAmount: String(withdrawn) },
    async keep(transaction, quote) {
      await insertCashWithdrawal(transaction, quote, own).catch((error: unknown) => {
        throw isCashWithdrawalTaken(error) ? withdrawalUnderWay() : error
      })
    },
  }
}

/** The depositor takes back the part of a cash-out that no buyer holds; what comes back pays for the gas. */
export const offrampWithdrawKind: QuoteKind<OfframpWithdrawRequest, never> = {
  ...usualKind,
  price: 'gas',
  plan: (context, request) => plan(context, request, false),
  planAgain(context, { details }) {
    const { depositId, amount } = cashWithdrawalDetails.parse(details)
    const { chainId } = context.sending
    const request = { chainId, depositId, amount: amount === null ? null : BigInt(amount) }
    return plan(context, { kind: 'offramp_withdraw', ...request }, true)
  },
  planMax: () => Promise.reject(new Error('max-spendable does not exist for a withdrawal from an escrow')),
  checkSubmission(run, { token }, parts) {
    // More is fine: a stranger added to the deposit, or a buyer gave up.
    if (!hasArrived(run, token, parts))
      throw quoteRefreshRequired('The withdrawable amount has changed: refresh the quote')
  },
  explainFailure: () => quoteRefreshRequired('This amount cannot be withdrawn now: refresh the quote'),
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

/** Request to take back a part of a cash-out. */
interface OfframpWithdrawRequest extends ChainRequest {
  kind: 'offramp_withdraw'
  /** `<escrow>_<number>` as in the activity; the number alone means the configured escrow. */
  depositId: string
  /** Smallest unit. Null, or the whole amount, takes everything that no buyer holds and closes the sale to buyers. */
  amount: bigint | null
}
