import { simulationFailed } from '../../../chain/errors.ts'
import { USD_DECIMALS } from '../../../market/prices/prices.ts'
import { valueInUsd } from '../../../market/prices/usd.ts'
import type { Token } from '../../../market/tokens/tokens.ts'
import { amountTooLow } from '../../errors.ts'
import { priceImpactTooHigh, slippageTooHigh, slippageTooLow } from './errors.ts'
import {
  isOneDollar,
  lossBpsOf,
  MAX_SLIPPAGE_BPS,
  minimumOf,
  priceImpactBpsOf,
  recommendedSlippageBps,
  type SwapPrice,
} from './slippage.ts'

/** Price impact above which the user must accept it, in basis points. */
const MAX_IMPACT_BPS = 1_500

/** The client's terms about the price of a swap. */
export interface PriceTerms {
  /** Requested slippage, in basis points; null to let the service choose. */
  requestedSlippageBps: number | null
  /** Price impact that the user has seen and accepts, in percent. */
  acknowledgedPriceImpact: number | null
}

/** One side of a swap: token, amount, and price in units of 10^-30 dollars; null without a price. */
export interface Side {
  token: Pick<Token, 'decimals'>
  amount: bigint
  usd: bigint | null
}

/** Output of a swap. Amounts in the smallest unit of the output token. */
export interface JudgedPrice {
  expected: bigint
  minimum: bigint
  slippageBps: number
  /** In percent, two decimals; null where the spot price is unknown. */
  priceImpact: number | null
}

/**
 * Computes the expected and the least accepted output of a swap.
 * @param sides The amount given, and the amount that a run of the calls delivered.
 * @throws ServiceError SIMULATION_FAILED if less than half of the venue's quote arrives; SLIPPAGE_TOO_LOW,
 * SLIPPAGE_TOO_HIGH. PRICE_IMPACT_TOO_HIGH above 15 percent, by the spot price or by dollar prices, unless the user
 * accepted as much. AMOUNT_TOO_LOW if the least accepted output is zero.
 */
export function judgePrice(
  price: SwapPrice,
  { given, got }: { given: Side; got: Side },
  { requestedSlippageBps, acknowledgedPriceImpact }: PriceTerms,
): JudgedPrice {
  if (lossBpsOf(price) > MAX_SLIPPAGE_BPS)
    throw simulationFailed('The swap would give less than half of its venue’s quote')
  const bothDollars = [given, got].every(({ usd }) => usd !== null && isOneDollar(usd, USD_DECIMALS))
  const recommended = recommendedSlippageBps(price, bothDollars)
  const slippageBps = requestedSlippageBps ?? recommended
  if (slippageBps > MAX_SLIPPAGE_BPS) throw slippageTooHigh()
  const minimum = minimumOf(price.delivered, slippageBps)
  // Checked before the impact, which rounding makes high for tiny outputs.
  if (minimum === 0n) throw amountTooLow()
  const impactBps = priceImpactBpsOf(price)
  const worst = Math.max(impactBps ?? 0, lossInDollarsBps(given, got) ?? 0)
  if (worst > MAX_IMPACT_BPS && worst > Math.round((acknowledgedPriceImpact ?? 0) * 100))
    throw priceImpactTooHigh(`The swap gives ${worst / 100} percent less than the market price`, {
      details: { priceImpact: worst / 100 },
    })
  const certain = lossBpsOf(price) + (price.twapGapBps ?? 0)
  if (requestedSlippageBps !== null && requestedSlippageBps < certain) {
    const recommendedSlippageBps = Math.min(Math.max(recommended, certain), MAX_SLIPPAGE_BPS)
    throw slippageTooLow(
      `A slippage of ${requestedSlippageBps} basis points is below the loss of this swap; ${recommendedSlippageBps} would suffice`,
      { details: { requestedSlippageBps, recommendedSlippageBps } },
    )
  }
  return {
    expected: price.delivered,
    minimum,
    slippageBps,
    priceImpact: impactBps === null ? null : impactBps / 100,
  }
}

/** Returns the loss in value between both sides, in basis points; null if a price is missing. */
function lossInDollarsBps(given: Side, got: Side): number | null {
  if (given.usd === null || got.usd === null) return null
  const paid = valueInUsd(given.amount, given.token.decimals, { usd: given.usd })
  const worth = valueInUsd(got.amount, got.token.decimals, { usd: got.usd })
  if (paid === 0n) return null
  return worth >= paid ? 0 : Number(((paid - worth) * 10_000n) / paid)
}
