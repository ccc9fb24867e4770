import { z } from 'zod'
import type { OfframpPreview } from '../../relayer/transact/previews/create-previews.ts'
import { formatRate } from '../../relayer/transact/venues/cash-out/format-fiat.ts'
import type { AnswerOf } from '../define/encode.ts'
import { address, amount, chainId, decimalText, digits } from '../define/scalars.ts'
import { described, shape } from '../define/shape.ts'
import { offrampAnswer } from './kinds/offramp/offramp-shapes.ts'
import { spendableAddresses } from './kinds/kind-shapes.ts'

const { escrowChainId, paymentMethod, currency, bridgeProvider, estimatedFillTimeMs } = offrampAnswer

export const offrampPreviewBody = shape('OfframpPreviewRequest', 'The cash-out whose price is wanted.', {
  chainId,
  token: described(address, 'Contract of the token to sell.'),
  amount: described(amount, 'Amount to sell, in the smallest unit; fees come on top.'),
  escrowChainId,
  paymentMethod: described(
    paymentMethod,
    'Payment app or bank, by the venue’s name for it; the first that pays when it is left out.',
  ),
  currency: described(currency, 'Currency by ISO 4217; the first that the method pays when it is left out.'),
  spendableAddresses,
})

const rate = (what: string) => described(z.string(), what)

const offeredCurrency = shape('OfferedCurrency', 'The venue’s present rate of a currency.', {
  currency: described(z.string(), 'By ISO 4217.'),
  conversionRate: described(
    decimalText.nullable(),
    'Price of a whole token, as a decimal number; null while the venue has no price.',
  ),
})
const offeredMethod = shape('OfferedMethod', 'A payment method of the venue.', {
  paymentMethod: described(z.string(), 'The venue’s name for it.'),
  currencies: described(z.array(offeredCurrency), 'Currencies that it pays.'),
})

export const offrampPreview = shape('OfframpPreview', 'The proceeds of a cash-out now.', {
  methods: described(z.array(offeredMethod), 'All payment methods that are offered there for the token.'),
  paymentMethod: described(z.string(), 'Payment method that the price is for.'),
  currency: described(z.string(), 'Currency that the price is in.'),
  escrowChainId: described(z.int(), 'EIP-155 id of the chain whose escrow would sell it.'),
  escrowToken: described(address, 'Contract of the token that would be sold there.'),
  escrowDecimals: described(z.int(), 'Decimals of `escrowToken`.'),
  escrowSymbol: described(z.string(), 'Symbol of `escrowToken`.'),
  escrowAmount: described(
    digits,
    'Amount that the escrow would hold, in the smallest unit of `escrowToken`.',
  ),
  conversionRate: rate('Price of a whole token now; it binds when a buyer signals.'),
  minimumConversionRate: rate('Buyers would never pay less for a whole token.'),
  estimatedFiatAmount: rate(
    'The buyers’ payment at `conversionRate`, two decimals and the currency: an estimate until they signal.',
  ),
  minimumFiatAmount: rate('The same at `minimumConversionRate`.'),
  bridgeProvider,
  estimatedFillTimeMs,
  feeEstimate: described(
    digits.nullable(),
    'All fees in the smallest unit of `token`; null where `rateOnly` is true and no such cash-out was measured lately.',
  ),
  protocolFeeBps: described(z.number(), 'Service fee in basis points of `amount`; 0 where it is waived.'),
  protocolFeeAmount: described(digits, 'Service fee in the smallest unit of `token`.'),
  rateOnly: described(
    z.boolean(),
    'True when the account’s funds could not pay the amount and the fees: the price alone, and nothing was run.',
  ),
})

/** The members of a preview. */
export function describeOfframpPreview({
  members,
  methods,
  escrowToken,
  rate: now,
  minimumRate,
  ...preview
}: OfframpPreview): AnswerOf<typeof offrampPreview> {
  const { bridgeProvider: bridge, estimatedFillTimeMs: fillTime } = members as Pick<
    AnswerOf<typeof offrampPreview>,
    'bridgeProvider' | 'estimatedFillTimeMs'
  >
  return {
    ...preview,
    methods: methods.map((method) => ({
      paymentMethod: method.paymentMethod,
      currencies: method.currencies.map((one) => ({
        currency: one.currency,
        conversionRate: one.rate && formatRate(one.rate.rate),
      })),
    })),
    escrowToken: escrowToken.address,
    escrowDecimals: escrowToken.decimals,
    escrowSymbol: escrowToken.symbol,
    conversionRate: formatRate(now),
    minimumConversionRate: formatRate(minimumRate),
    bridgeProvider: bridge,
    estimatedFillTimeMs: fillTime,
  }
}
