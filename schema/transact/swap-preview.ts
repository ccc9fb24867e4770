import { z } from 'zod'
import type { SwapPreview, SwapPreviewRequest } from '../../relayer/transact/previews/create-previews.ts'
import type { AnswerOf } from '../define/encode.ts'
import { address, amount, chainId, digits } from '../define/scalars.ts'
import { described, shape } from '../define/shape.ts'
import { spendableAddresses } from './kinds/kind-shapes.ts'
import { slippageOf, swapAnswer, swapTerms } from './kinds/swap/swap-shapes.ts'

export const swapPreviewBody = shape('SwapPreviewRequest', 'The swap whose price is wanted.', {
  chainId,
  tokenIn: described(address, 'Contract of the token to give; the zero address is the native coin.'),
  tokenOut: described(address, 'Contract of the token to get; the zero address is the native coin.'),
  amountIn: described(amount, 'Amount to swap, in the smallest unit of `tokenIn`; fees come on top.'),
  ...swapTerms,
  spendableAddresses,
})

const { routing, slippageMode, slippageBps, requestedSlippageBps, estimatedFillTimeMs, priceImpact } =
  swapAnswer

export const swapPreview = shape('SwapPreview', 'The result of a swap now.', {
  expectedOutput: described(digits, 'Output, in the smallest unit of `outputToken`.'),
  minimumOutput: described(
    digits,
    'The least that a quote would accept, in the smallest unit of `outputToken`.',
  ),
  outputToken: described(address, 'Token that would come out; the zero address is the native coin.'),
  outputDecimals: described(
    z.int(),
    'Decimals of `outputToken`: a whole token is 10^decimals smallest units.',
  ),
  outputSymbol: described(z.string(), 'Symbol of `outputToken`, as its contract or the token list has it.'),
  routing,
  slippageMode,
  slippageBps,
  requestedSlippageBps,
  feeEstimate: described(
    digits.nullable(),
    'All fees in the smallest unit of `tokenIn`; null where `rateOnly` is true and no such swap was measured lately.',
  ),
  estimatedFillTimeMs,
  protocolFeeBps: described(z.number(), 'Service fee in basis points of `amountIn`; 0 where it is waived.'),
  protocolFeeAmount: described(digits, 'Service fee in the smallest unit of `tokenIn`.'),
  priceImpact,
  rateOnly: described(
    z.boolean(),
    'True when the account’s funds could not pay the amount and the fees: the price alone, and nothing was run.',
  ),
})

/** The service's request for a preview. */
export const readPreviewRequest = (body: z.output<typeof swapPreviewBody>): SwapPreviewRequest => ({
  ...body,
  requestedSlippageBps: slippageOf(body),
})

/** The members of a preview; those of swaps are in wire form already. */
export function describeSwapPreview({
  members,
  outputToken,
  ...preview
}: SwapPreview): AnswerOf<typeof swapPreview> {
  return {
    ...preview,
    ...(members as Pick<AnswerOf<typeof swapPreview>, 'routing'>),
    outputToken: outputToken.address,
    outputDecimals: outputToken.decimals,
    outputSymbol: outputToken.symbol,
  }
}
