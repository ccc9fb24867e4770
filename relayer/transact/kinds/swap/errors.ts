import { z } from 'zod'
import { defineError } from '../../../service-error.ts'

const UNTOUCHED = 'Nothing was sent and nothing was locked.'

/** Both tokens of the swap are the same. */
export const sameToken = defineError({
  code: 'SAME_TOKEN',
  kind: 'bad-request',
  meaning: 'The token to get is the token to give.',
  retry: 'With another `tokenOut`.',
  fundsState: UNTOUCHED,
  message: 'tokenOut: expected another token than tokenIn',
})

/** The client accepts less slippage than the swap is certain to lose. */
export const slippageTooLow = defineError({
  code: 'SLIPPAGE_TOO_LOW',
  kind: 'bad-request',
  meaning:
    'With this slippage the swap would fail: prices move more, or the token keeps a part of what is sent.',
  retry: 'With `recommendedSlippageBps`, or with slippageMode `auto`.',
  fundsState: UNTOUCHED,
  example: 'A slippage of 10 basis points is below the loss of this swap; 65 would suffice',
  members: z.object({
    requestedSlippageBps: z.int().meta({ description: 'Requested slippage, in basis points.' }),
    recommendedSlippageBps: z.int().meta({ description: 'Slippage that would suffice, in basis points.' }),
  }),
})

/** The client accepts so much slippage that others could take most of the output. */
export const slippageTooHigh = defineError({
  code: 'SLIPPAGE_TOO_HIGH',
  kind: 'bad-request',
  meaning: 'With this slippage more than half of the output could be lost.',
  retry: 'With a slippage of at most 5000 basis points.',
  fundsState: UNTOUCHED,
  message: 'slippageBps: expected at most 5000 basis points',
})

/** The amount is too large for the pools, or the token is worth far more than they give. */
export const priceImpactTooHigh = defineError({
  code: 'PRICE_IMPACT_TOO_HIGH',
  kind: 'bad-request',
  meaning: 'The swap gives far less than the market price; `priceImpact` is the difference in percent.',
  retry: 'With a smaller amount, or with `acknowledgedPriceImpact` at least as high as `priceImpact`.',
  fundsState: UNTOUCHED,
  example: 'The swap gives 23.5 percent less than the market price',
  members: z.object({
    priceImpact: z.number().meta({ description: 'Percent by which the output is below the market price.' }),
  }),
})

/** The wanted output is no token. */
export const tokenOutUnknown = defineError({
  code: 'TOKEN_OUT_UNKNOWN',
  kind: 'bad-request',
  meaning: 'There is no token at `tokenOut` on that chain.',
  retry: 'With another `tokenOut`.',
  fundsState: UNTOUCHED,
  message: 'tokenOut: there is no token at this address',
})

/** Errors for a swap that its tokens or its price forbid. */
export const SWAP_PRICE_ERRORS = [
  sameToken,
  tokenOutUnknown,
  slippageTooLow,
  slippageTooHigh,
  priceImpactTooHigh,
] as const
