import { chooseRecipient, isOutputFresh, type MaxSwapRequest, type SwapRequest } from './swap-request.ts'
import type { Address } from 'viem'
import { markOutputTold } from '../../../../db/transact/spare-outputs.ts'
import { badRequest } from '../../../errors.ts'
import { quoteRefreshRequired } from '../../errors.ts'
import { isNativeAtPar } from '../../venues/swap/wrapped-native/wrapped-native.ts'
import { usualKind, type KindContext, type QuoteKind, type SignedQuote } from '../quote-kind.ts'
import { checkSwapRun, deliveredTo, outputPayeeOf } from './check-swap-run.ts'
import {
  checkBetween,
  isCrossChain,
  orderBetween,
  planBetween,
  planBetweenAgain,
  planMaxBetween,
} from './cross-chain-swap.ts'
import { partiesOf, swapEffects, planMaxSwap, planSwap, swapDetails } from './plan-swap.ts'
import { findLargestFree } from '../find-largest-free.ts'
import { routeSwap, type Routed } from './route-swap.ts'
import { maximumOf } from './slippage.ts'

/** Highest age of a price at submission, in milliseconds: an older price would be worth an attack. */
const OLDEST_PRICE_MS = 60_000

/** An exchange of one token for another; fees come on top of the exchanged amount. */
export const swapKind: QuoteKind<SwapRequest, MaxSwapRequest> = {
  ...usualKind,
  async plan(context, request) {
    if (request.amountIn <= 0n) throw badRequest('amountIn: expected more than zero')
    const tokenOutChainId = request.tokenOutChainId ?? request.chainId
    if (tokenOutChainId !== request.chainId) return planBetween(context, request, tokenOutChainId)
    const routed = await routeSwap(context, request)
    const recipient = await chooseRecipient(context, context.sending.chain, request, routed.ask.tokenOut)
    if (isOutputFresh(request)) await keepFromOthers(context, recipient.address, routed)
    return planSwap(context, routed, partiesOf(request, routed.ask.tokenOut, recipient))
  },
  async planAgain(context, before) {
    const { token, amount, recipient, details: kept } = before
    if (isCrossChain(kept)) return planBetweenAgain(context, before)
    const details = swapDetails.parse(kept)
    if (amount === 'max') throw new Error('a stored swap has no amount')
    const asked = { tokenIn: token, tokenOut: details.tokenOut, amountIn: amount }
    const routed = await routeSwap(context, asked)
    if (details.isOutputFresh) await keepFromOthers(context, recipient.address, routed)
    return planSwap(context, routed, { recipient, funders: {}, details })
  },
  async planMax(context, request) {
    const { token, tokenOut, spendableAddresses } = request
    const tokenOutChainId = request.tokenOutChainId ?? request.chainId
    if (tokenOutChainId !== request.chainId) return planMaxBetween(context, request, tokenOutChainId)
    const amountIn = await findLargestFree(context, token, spendableAddresses)
    const routed = await routeSwap(context, { tokenIn: token, tokenOut, amountIn })
    return planMaxSwap(context, routed, { spendableAddresses })
  },
  submissionEffects(quote) {
    if (isCrossChain(quote.details)) return { told: 'everything' }
    const { token: tokenOut, callsAreOurs } = outputOf(quote)
    return swapEffects({ callsAreOurs }, { tokenIn: quote.token, tokenOut })
  },
  checkSubmission(run, quote, parts) {
    if (isCrossChain(quote.details)) return checkBetween(run, quote, parts)
    const { token } = quote
    const { token: tokenOut, expected, minimum, hasSlippage, slippageBps } = outputOf(quote)
    if (hasSlippage) {
      if (quote.ageMs > OLDEST_PRICE_MS)
        throw quoteRefreshRequired('The price of this swap is more than a minute old: refresh the quote')
      const got = deliveredTo(run, outputPayeeOf(parts), tokenOut)
      if (got < minimum || got > maximumOf(expected, slippageBps))
        throw quoteRefreshRequired('The price of this swap has moved: refresh the quote')
    }
    checkSwapRun(run, parts, { tokenIn: token, tokenOut, least: minimum, most: null })
  },
  othersCanFail: (quote) => outputOf(quote).hasSlippage,
  // Pools call their tokens, and anybody can create a token and its pool. The operator configured the venues.
  strangersOf(quote, known) {
    if (isCrossChain(quote.details)) return []
    const { token } = outputOf(quote)
    return known.isToken(token) ? [] : [token]
  },
  explainFailure: (quote) =>
    isCrossChain(quote.details) || outputOf(quote).hasSlippage
      ? quoteRefreshRequired('At the present price this swap would fail: refresh the quote')
      : null,
  isNativeAtPar: (chain, { token, output, details }) =>
    isCrossChain(details)
      ? token === chain.wrappedNative
      : output !== null && isNativeAtPar(chain, { tokenIn: token, tokenOut: output.token }),
  async submitted(transaction, quote) {
    if (isCrossChain(quote.details)) await orderBetween(transaction, quote)
  },
  activity: () => ({ kind: 'SWAP', isExchange: true }),
}

function outputOf({ output, details }: SignedQuote) {
  if (!output) throw new Error('a stored swap has no output')
  const { slippageBps, hasSlippage, callsAreOurs } = swapDetails.parse(details)
  return { ...output, slippageBps, hasSlippage, callsAreOurs }
}

/**
 * Marks an output address that the venue learns. With a second quote for it the venue could link both to one account.
 */
async function keepFromOthers(
  { database, accountId }: KindContext,
  address: Address,
  { route }: Routed,
): Promise<void> {
  if (route.tellsRecipient) await markOutputTold(database, accountId, address)
}
