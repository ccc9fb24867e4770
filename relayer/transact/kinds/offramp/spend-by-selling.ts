import type { Address, Hash } from 'viem'
import { cashOutTooSmall } from '../../venues/cash-out/errors.ts'
import type { CashOutRate, CashOutSale } from '../../venues/cash-out/cash-out-venue.ts'
import type { KindContext } from '../quote-kind.ts'
import type { FunderFilter, PaidPart, SpendingPlan } from '../quote-plan.ts'
import { readAllowance } from '../read-allowance.ts'
import type { SalePlace } from './find-sale-place.ts'
import { nobodysDetails } from './register-once.ts'

/** Nothing that is sold has more units. */
const MAX_AMOUNT = 2n ** 200n

/** What is sold, whatever the amount. */
export interface SaleTerms extends CashOutRate {
  paymentMethod: string
  currency: string
}

/** The sale of an amount. */
export const saleOf = (
  { token }: Pick<SalePlace, 'token'>,
  { paymentMethod, currency, minimumRate }: SaleTerms,
  { amount, payeeDetails }: { amount: bigint; payeeDetails: Hash },
): CashOutSale => ({ token, amount, paymentMethod, currency, minimumRate, payeeDetails })

/**
 * What is spent by a sale on the chain of the context. Gas is measured with a payee who is nobody.
 * @param payeeOf By whom the escrow is to be told the payee, once somebody is known to pay.
 */
export function spendBySelling(
  { sending }: Pick<KindContext, 'sending'>,
  place: SalePlace,
  terms: SaleTerms,
  { funders, payeeOf }: { funders: FunderFilter; payeeOf: () => Promise<Hash> },
): SpendingPlan {
  const { at, venue, offer, token } = place
  const { client } = sending.chain
  const allowances = new Map<Address, Promise<bigint>>()
  const allowanceOf = (owner: Address): Promise<bigint> => {
    const known = allowances.get(owner)
    const allowance = known ?? readAllowance(client, { token, owner, spender: offer.escrow })
    allowances.set(owner, allowance)
    return allowance
  }
  const calls = async ({ payer, amount }: PaidPart, payeeDetails: Hash) =>
    venue.openCalls(at, saleOf(place, terms, { amount, payeeDetails }), await allowanceOf(payer))
  return {
    token,
    funders,
    mayJoin: false,
    isNativeAtPar: false,
    gasKey: `offramp ${offer.escrow} ${token}`,
    bounds: {
      least: offer.minAmount,
      most: MAX_AMOUNT,
      tooSmall: () => cashOutTooSmall({ details: { minimum: offer.minAmount } }),
      tooLarge: () => cashOutTooSmall({ details: { minimum: offer.minAmount } }),
    },
    trial: { amount: offer.minAmount, calls: (part) => calls(part, nobodysDetails()) },
    foresee: (payer) => void allowanceOf(payer).catch(() => undefined),
    async calls(part) {
      if (part.amount < offer.minAmount) throw cashOutTooSmall({ details: { minimum: offer.minAmount } })
      return calls(part, await payeeOf())
    },
  }
}
