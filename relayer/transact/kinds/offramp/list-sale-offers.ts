import type { Address } from 'viem'
import type { CashOutRate } from '../../venues/cash-out/cash-out-venue.ts'
import { cashOutUnavailable, cashOutUnsupported } from '../../venues/cash-out/errors.ts'
import type { KindContext } from '../quote-kind.ts'
import { demandMethod, demandSalePlace } from './find-sale-place.ts'
import type { SaleTerms } from './spend-by-selling.ts'

/** A payment method with the rates of its currencies; null for a currency without a price. */
export interface OfferedMethod {
  paymentMethod: string
  currencies: readonly { currency: string; rate: CashOutRate | null }[]
}

/** Offers for a token. */
export interface Offers {
  methods: readonly OfferedMethod[]
  /** The requested method and currency; by default the first that has a price. */
  chosen: SaleTerms
  /** Chain id of the escrow. */
  at: number
}

/**
 * Lists all offers for a token now. The only query goes to the escrow chain's node, for prices.
 * @throws ServiceError `bad-request` CASH_OUT_UNSUPPORTED; `bad-gateway` CASH_OUT_UNAVAILABLE if the requested currency
 * has no price.
 */
export async function listSaleOffers(
  context: KindContext,
  asked: {
    token: Address
    escrowChainId?: number | null | undefined
    paymentMethod?: string | null | undefined
    currency?: string | null | undefined
  },
): Promise<Offers> {
  const { venue, offer, at } = demandSalePlace(context, asked)
  const currencies = [...new Set(offer.methods.flatMap((method) => method.currencies))]
  const rates = new Map(
    await Promise.all(
      currencies.map(async (currency) => {
        const rate = await venue.readRate(at, currency).catch((error: unknown) => {
          if (cashOutUnavailable.matches(error)) return null
          throw error
        })
        return [currency, rate] as const
      }),
    ),
  )
  const all = offer.methods.flatMap(({ paymentMethod, currencies: paid }) =>
    paid.map((currency) => ({ paymentMethod, currency })),
  )
  const { paymentMethod, currency } = asked
  const fitting = all.filter(
    (one) =>
      (paymentMethod ?? one.paymentMethod) === one.paymentMethod &&
      (currency ?? one.currency) === one.currency,
  )
  const wanted = fitting.find((one) => rates.get(one.currency)) ?? fitting[0]
  if (!wanted) {
    demandMethod(offer, { paymentMethod: paymentMethod ?? '', currency: currency ?? '' })
    throw cashOutUnsupported(`currency: no payment method pays ${currency}`)
  }
  const rate = rates.get(wanted.currency)
  if (!rate) throw cashOutUnavailable()
  const methods = offer.methods.map((method) => ({
    paymentMethod: method.paymentMethod,
    currencies: method.currencies.map((one) => ({ currency: one, rate: rates.get(one) ?? null })),
  }))
  return { methods, chosen: { ...wanted, ...rate }, at: at.config.chainId }
}
