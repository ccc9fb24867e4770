import type { Address, Hex } from 'viem'
import type { Chain } from '../../../chain/nodes/chain.ts'
import { keyOf, tokenIdOf } from '../../../market/tokens/token-id.ts'
import { readToken } from '../../read-token.ts'
import type { BridgeOffer } from '../../venues/bridge/bridge-venue.ts'
import type { FoundBridge } from '../../venues/bridge/bridge-venues.ts'
import type { SwapAsk, SwapRoute } from '../../venues/swap/swap-venue.ts'
import { askBridge } from '../ask-bridge.ts'
import type { KindContext } from '../quote-kind.ts'
import type { CrossChainEnds, CrossChainPath } from './cross-chain-paths.ts'
import { type PriceTerms, judgePrice } from './judge-price.ts'
import { amountTooLow } from '../../errors.ts'
import { findSwapRoute } from '../../venues/swap/swap-venues.ts'
import { isTooLittle } from './route-swap.ts'
import { minimumOf } from './slippage.ts'
import { createStandIn } from '../../intents/intent.ts'

/**
 * Most automatic slippage after the bridge, in basis points: the filler orders that exchange, and could take all of it.
 */
const MAX_AUTO_SLIPPAGE_AFTER = 50

/** Request for an exchange between two chains. */
export interface CrossChainAsk extends SwapAsk, CrossChainEnds {
  destination: Chain
  terms: PriceTerms
}

/** A path between two chains with all of its amounts, each in the smallest unit of its token. */
export interface CrossChainOffer {
  bridge: FoundBridge
  usesHandler: boolean
  before: Leg | null
  /** Deposit with the bridge. */
  inputAmount: bigint
  bridged: BridgeOffer
  after: Leg | null
  /** Expected output for the recipient, and the least that the calldata allows. */
  expected: bigint
  minimum: bigint
}

/**
 * Requests quotes from all venues of a path; null if one of them has no route. The bridge sees a message for a random
 * address.
 * @throws ServiceError as the venues and judgePrice do.
 */
export async function quoteCrossChain(
  context: KindContext,
  ask: CrossChainAsk,
  { bridge, swapsBefore, swapsAfter, usesHandler }: CrossChainPath,
): Promise<CrossChainOffer | null> {
  const { chain: origin } = context.sending
  const { destination, tokenIn, tokenOut, amountIn, terms } = ask
  const { inputToken, outputToken } = bridge.route
  const beforeAsk = { tokenIn, tokenOut: inputToken, amountIn }
  const before = swapsBefore
    ? await quoteLeg(context, origin, { ask: beforeAsk, terms, mostAutoBps: Infinity })
    : null
  if (swapsBefore && !before) return null
  const inputAmount = before?.minimum ?? amountIn
  const quoteAfter = (amount: bigint) =>
    quoteLeg(context, destination, {
      ask: { tokenIn: outputToken, tokenOut, amountIn: amount },
      terms,
      mostAutoBps: MAX_AUTO_SLIPPAGE_AFTER,
    })

  const bridged = await askBridge(context, bridge, inputAmount, async (outputAmount) => {
    const after = swapsAfter ? await quoteAfter(outputAmount) : null
    if (swapsAfter && !after) return null
    const shown = { bridge, usesHandler, after, outputAmount, fillDeadline: 2 ** 32 - 1 }
    return (await fillTargetOf(shown, createStandIn())).message
  })
  if (!bridged) return null
  const after = swapsAfter ? await quoteAfter(bridged.outputAmount) : null
  if (swapsAfter && !after) return null
  return {
    bridge,
    usesHandler,
    before,
    inputAmount,
    bridged,
    after,
    expected: after?.route.expected ?? bridged.outputAmount,
    minimum: after?.minimum ?? bridged.outputAmount,
  }
}

/** Output of a bridge and its further use. */
export interface BridgedOutput extends Pick<CrossChainOffer, 'bridge' | 'usesHandler' | 'after'> {
  /** Smallest unit of the bridged token. */
  outputAmount: bigint
  /** Seconds since 1970, by the destination's clock. */
  fillDeadline: number
}

/**
 * Returns the recipient and the message of the deposit that give the recipient the wanted token. The message contains
 * the minimum of the exchange after the bridge, and the fillers' deadline. Without an exchange the handler passes on
 * the bridged token.
 */
export async function fillTargetOf(
  { bridge: { venue, route }, usesHandler, after, outputAmount, fillDeadline }: BridgedOutput,
  recipient: Address,
): Promise<{ recipient: Address; message: Hex }> {
  const { handler } = route
  if (!usesHandler || handler === null) return { recipient, message: '0x' }
  const calls =
    (await after?.route.calls({
      payer: handler,
      recipient,
      amountIn: outputAmount,
      minimum: after.minimum,
      deadline: BigInt(fillDeadline),
      allowance: 0n,
    })) ?? []
  return {
    recipient: handler,
    message: venue.encodeMessage({ calls, recipient }),
  }
}

/** Returns the price impact of both exchanges together, in percent with two decimals; null if one is unknown. */
export function totalImpactOf({ before, after }: CrossChainOffer): number | null {
  const impacts = [before, after].flatMap((leg) => (leg ? [leg.priceImpact] : []))
  if (impacts.includes(null)) return null
  const kept = impacts.reduce<number>((share, impact) => share * (1 - (impact ?? 0) / 100), 1)
  return Math.round((1 - kept) * 10_000) / 100
}

/** An exchange on one chain, as a part of one between two. Amounts in the smallest unit. */
interface Leg {
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
async function quoteLeg(
  context: KindContext,
  chain: Chain,
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
