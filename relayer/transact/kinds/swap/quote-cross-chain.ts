import type { Address, Hex } from 'viem'
import type { Chain } from '../../../chain/nodes/chain.ts'
import { keyOf, tokenIdOf } from '../../../market/tokens/token-id.ts'
import { createStandIn } from '../../intents/create-stand-in.ts'
import { readToken } from '../../read-token.ts'
import type { BridgeQuote } from '../../venues/bridge/bridge-venue.ts'
import type { FoundBridge } from '../../venues/bridge/bridge-venues.ts'
import type { SwapAsk } from '../../venues/swap/swap-venue.ts'
import type { KindContext } from '../quote-kind.ts'
import type { CrossChainEnds, CrossChainPath } from './cross-chain-paths.ts'
import type { PriceTerms } from './judge-price.ts'
import { quoteLeg, type Leg } from './quote-leg.ts'

/** Whoever fills orders the exchange after the bridge, and could take all that its slippage allows: basis points. */
const MAX_AUTO_SLIPPAGE_AFTER = 50

/** What is to be exchanged between two chains. */
export interface CrossChainAsk extends SwapAsk, CrossChainEnds {
  destination: Chain
  terms: PriceTerms
}

/** A way between two chains with all of its amounts, in the smallest unit of the token in question. */
export interface CrossChainQuote {
  bridge: FoundBridge
  usesHandler: boolean
  before: Leg | null
  /** What is deposited. */
  inputAmount: bigint
  bridged: BridgeQuote
  after: Leg | null
  /** What the recipient is expected to get, and the least that the calldata lets it have. */
  expected: bigint
  minimum: bigint
}

/**
 * Asks all venues of a way for an amount; null where one of them has no route. A bridge is shown a message for an address
 * of nobody.
 * @throws ServiceError as the venues and judgePrice do.
 */
export async function quoteCrossChain(
  context: KindContext,
  ask: CrossChainAsk,
  { bridge, swapsBefore, swapsAfter, usesHandler }: CrossChainPath,
): Promise<CrossChainQuote | null> {
  const { chain: origin } = context.sending
  const { destination, tokenIn, tokenOut, amountIn, terms } = ask
  const { inputToken, outputToken } = bridge.route
  const beforeAsk = { tokenIn, tokenOut: inputToken, amountIn }
  const before = swapsBefore
    ? await quoteLeg(context, origin, { ask: beforeAsk, terms, mostAutoBps: Infinity })
    : null
  if (swapsBefore && !before) return null
  const inputAmount = before?.minimum ?? amountIn
  const [input, output] = await Promise.all([
    readToken(context, tokenIdOf(origin.config.chainId, inputToken)),
    readToken(context, tokenIdOf(destination.config.chainId, outputToken)),
  ])
  const quoteAfter = (amount: bigint) =>
    quoteLeg(context, destination, {
      ask: { tokenIn: outputToken, tokenOut, amountIn: amount },
      terms,
      mostAutoBps: MAX_AUTO_SLIPPAGE_AFTER,
    })

  const uncharged = (inputAmount * 10n ** BigInt(output.decimals)) / 10n ** BigInt(input.decimals)
  const likely = swapsAfter ? await quoteAfter(uncharged) : null
  if (swapsAfter && !likely) return null
  const nobody = createStandIn()
  const shown = { bridge, usesHandler, after: likely, outputAmount: uncharged, fillDeadline: 2 ** 32 - 1 }
  const worth = await context.prices.read([input, output])
  const bridged = await bridge.venue.quote(bridge.route, {
    amount: inputAmount,
    inputDecimals: input.decimals,
    outputDecimals: output.decimals,
    values: { input: worth.get(keyOf(input))?.usd ?? null, output: worth.get(keyOf(output))?.usd ?? null },
    message: (await fillTargetOf(shown, nobody)).message,
  })
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

/** What a bridge brings, and what is done with it. */
export interface BridgedOutput extends Pick<CrossChainQuote, 'bridge' | 'usesHandler' | 'after'> {
  /** Smallest unit of the bridged token. */
  outputAmount: bigint
  /** Seconds since 1970, by the destination's clock. */
  fillDeadline: number
}

/**
 * Where a deposit is filled to, so that the recipient gets the token that is wanted. The exchange after the bridge has its
 * minimum in the message, and no more time than fillers have; without an exchange the handler passes on what it gets.
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
    message: venue.encodeMessage({ ...route, handler }, { calls, recipient, drained: [] }),
  }
}

/** By how many percent the exchanges of a way move prices together, two decimals; null where one cannot tell. */
export function totalImpactOf({ before, after }: Pick<CrossChainQuote, 'before' | 'after'>): number | null {
  const impacts = [before, after].flatMap((leg) => (leg ? [leg.priceImpact] : []))
  if (impacts.includes(null)) return null
  const kept = impacts.reduce<number>((share, impact) => share * (1 - (impact ?? 0) / 100), 1)
  return Math.round((1 - kept) * 10_000) / 100
}
