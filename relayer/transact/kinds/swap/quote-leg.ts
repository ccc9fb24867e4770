import { keyOf, tokenIdOf } from '../../../market/tokens/token-id.ts'
import { amountTooLow } from '../../errors.ts'
import { readToken } from '../../read-token.ts'
import type { SwapAsk, SwapRoute, VenueChain } from '../../venues/swap/swap-venue.ts'
import { findSwapRoute } from '../../venues/swap/swap-venues.ts'
import type { KindContext } from '../quote-kind.ts'
import { judgePrice, type PriceTerms } from './judge-price.ts'
import { isTooLittle } from './route-swap.ts'
import { minimumOf } from './slippage.ts'

/** An exchange on one chain, as a part of one between two. Amounts in the smallest unit. */
export interface Leg {
  route: SwapRoute
  slippageBps: number
  /** Least output. */
  minimum: bigint
  /** In percent; null where the spot price is unknown. */
  priceImpact: number | null
}

/**
 * Quotes the exchange on one chain and judges its price; null if no venue has a route.
 * @param mostAutoBps Most slippage if the client lets the service choose it, in basis points.
 * @throws ServiceError AMOUNT_TOO_LOW if the amount is too small for any output; as judgePrice and the venues do.
 */
export async function quoteLeg(
  context: KindContext,
  chain: VenueChain,
  { ask, terms, mostAutoBps }: { ask: SwapAsk; terms: PriceTerms; mostAutoBps: number },
): Promise<Leg | null> {
  const route = ask.amountIn > 0n ? await findSwapRoute(chain, ask) : null
  if (!route && (await isTooLittle(context, chain, ask))) throw amountTooLow()
  // A venue that learns the recipient could link the account's addresses on both chains.
  if (!route || route.tellsRecipient || route.expected <= 0n) return null
  const { expected } = route
  if (!route.hasSlippage) return { route, slippageBps: 0, minimum: expected, priceImpact: 0 }
  const { chainId } = chain.config
  const [given, got] = await Promise.all([
    readToken(context, tokenIdOf(chainId, ask.tokenIn)),
    readToken(context, tokenIdOf(chainId, ask.tokenOut)),
  ])
  const worth = await context.prices.read([given, got])
  const { slippageBps, priceImpact } = judgePrice(
    { ...route, quoted: expected, delivered: expected },
    {
      given: { token: given, amount: ask.amountIn, usd: worth.get(keyOf(given))?.usd ?? null },
      got: { token: got, amount: expected, usd: worth.get(keyOf(got))?.usd ?? null },
    },
    terms,
  )
  const agreed = terms.requestedSlippageBps ?? Math.min(slippageBps, mostAutoBps)
  return { route, slippageBps: agreed, minimum: minimumOf(expected, agreed), priceImpact }
}
