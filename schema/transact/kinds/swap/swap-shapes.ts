import { z } from 'zod'
import { badRequest } from '../../../../relayer/errors.ts'
import { SWAP_ROUTINGS } from '../../../../relayer/transact/venues/swap/swap-venue.ts'
import { address, amount } from '../../../define/scalars.ts'
import { described } from '../../../define/shape.ts'
import {
  bridgeAnswer,
  needed,
  recipientMembers,
  type KindShapes,
  type MaxRequestBody,
  type RequestBody,
} from '../kind-shapes.ts'

const tokenOut = described(
  address.nullish(),
  'Contract of the token to get by a swap; the zero address is the native coin.',
)
const slippageMode = described(
  described(z.enum(['auto', 'custom']), 'auto: by the service. custom: by the client.', {
    id: 'SlippageMode',
  }).nullish(),
  'auto: the service chooses the slippage of a swap, also where this is left out without `slippageBps`. custom: `slippageBps`. Wrapping and unwrapping have none.',
)
const slippageBps = described(
  z.int().min(0).max(10_000).nullish(),
  'Slippage to accept in a swap, in basis points, at most 5000; wrapping and unwrapping have none.',
)
const tokenOutChainId = described(
  z.int().positive().nullish(),
  'Chain on which the output of a swap is wanted; `chainId` when it is left out.',
)

/** Request members that a preview and a quote of a swap share. */
export const swapTerms = { slippageMode, slippageBps, tokenOutChainId }

const request = {
  tokenIn: needed(
    described(
      address.optional(),
      'Contract of the token to give in a swap; the zero address is the native coin.',
    ),
  ),
  tokenOut: needed(tokenOut),
  amountIn: needed(
    described(amount.optional(), 'Amount to swap, in the smallest unit of `tokenIn`; fees come on top.'),
  ),
  ...swapTerms,
  acknowledgedPriceImpact: described(
    z.number().min(0).max(100).nullish(),
    'The price impact that the user has seen and accepts, in percent: above 15 a swap is refused without it.',
  ),
  ...recipientMembers,
}
const maxRequest = { tokenOut: needed(tokenOut), ...swapTerms }

/** Members of answers about a swap, beyond those of every quote. */
export const swapAnswer = {
  ...bridgeAnswer,
  slippageMode,
  slippageBps: described(
    z.int().nullish(),
    'Slippage in force, in basis points; absent where nothing is exchanged.',
  ),
  requestedSlippageBps: described(z.int().nullish(), 'Slippage that was asked for; null when none was.'),
  routing: described(
    described(
      z.enum(SWAP_ROUTINGS),
      'CLASSIC: through pools. WRAP: native coins become wrapped ones. UNWRAP: the other way round. BRIDGE: the same asset on another chain. CHAINED: a swap and a bridge.',
      { id: 'SwapRouting' },
    ).nullish(),
    'How the swap is made; absent where nothing is exchanged.',
  ),
  priceImpact: described(
    z.number().nullish(),
    'By how many percent the output is below the spot price, pool fees left out, two decimals; null if no pool has a spot price, absent where nothing is exchanged.',
  ),
  planId: described(
    z.uuid().nullish(),
    'The same through all refreshes of one swap; absent where nothing is exchanged.',
  ),
}

/**
 * The slippage that a client chose, in basis points; undefined leaves the choice to the service.
 * @throws ServiceError `bad-request` BAD_REQUEST for `custom` without a value.
 */
export function slippageOf(terms: z.output<z.ZodObject<typeof swapTerms>>): number | undefined {
  if (terms.slippageMode === 'auto') return undefined
  if (terms.slippageMode === 'custom' && (terms.slippageBps ?? undefined) === undefined)
    throw badRequest('body.slippageBps: is required with slippageMode custom (integer)')
  return terms.slippageBps ?? undefined
}

/** A swap as the API has it. */
export const swapShapes: KindShapes = {
  request,
  maxRequest,
  answer: swapAnswer,
  readRequest: (body: RequestBody<typeof request>) => ({
    kind: 'swap',
    ...body,
    requestedSlippageBps: slippageOf(body),
  }),
  readMaxRequest: (body: MaxRequestBody<typeof maxRequest>) => ({ kind: 'swap', ...body }),
}
