import type { Hash } from 'viem'
import { cashOutTooSmall } from '../../venues/cash-out/errors.ts'
import type { CashOutRate, CashOutSale } from '../../venues/cash-out/cash-out-venue.ts'
import type { KindContext } from '../quote-kind.ts'
import type { FunderFilter, PaidPart, SpendingPlan } from '../quote-plan.ts'
import { rememberAllowances } from '../read-allowance.ts'
import type { SalePlace } from './find-sale-place.ts'
import { nobodysDetails } from './register-once.ts'

/** No sale has more units than this. */
const MAX_AMOUNT = 2n ** 200n

/** Terms of a sale except its amount. */
export interface SaleTerms extends CashOutRate {
  paymentMethod: string
  currency: string
}

/** Combines the terms and an amount to a sale. */
export const saleOf = (
  { token }: SalePlace,
  { paymentMethod, currency, minimumRate }: SaleTerms,
  { amount, payeeDetails }: { amount: bigint; payeeDetails: Hash },
): CashOutSale => ({ token, amount, paymentMethod, currency, minimumRate, payeeDetails })

/**
 * Plans a sale on the chain of the context. Gas is measured with a random payee.
 * @param payeeOf Registers the payee and returns its hash; called once the funding address is known.
 */
export function spendBySelling(
  { sending }: KindContext,
  place: SalePlace,
  terms: SaleTerms,
  { funders, payeeOf }: { funders: FunderFilter; payeeOf: () => Promise<Hash> },
): SpendingPlan {
  const { at, venue, offer, token } = place
  const allowanceOf = rememberAllowances(sending.chain.client, { token, spender: offer.escrow })
  const calls = async ({ payer, amount }: PaidPart, payeeDetails: Hash) =>
    venue.openCalls(at, saleOf(place, terms, { amount, payeeDetails }), await allowanceOf(payer))
  return {
    token,
    funding: { from: 'holdings', funders, mayJoin: false },
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
