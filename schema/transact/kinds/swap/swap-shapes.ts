import { z } from 'zod'
import type { MaxSwapRequest, SwapRequest } from '../../../../relayer/transact/kinds/swap/swap-request.ts'
import { SWAP_ROUTINGS } from '../../../../relayer/transact/venues/swap/swap-venue.ts'
import { address, amount } from '../../../define/scalars.ts'
import { described } from '../../../define/shape.ts'
import { demandMember, type KindShapes, type MaxRequestBody, type RequestBody } from '../kind-shapes.ts'
import { recipientMembers } from '../request-members.ts'

const tokenOut = described(
  address.nullish(),
  'Contract of the token to get by a swap; the zero address is the native coin. A swap needs it.',
)
const slippageMode = described(
  described(z.enum(['auto', 'custom']), 'auto: by the service. custom: by the client.', {
    id: 'SlippageMode',
  }).nullish(),
  'How the slippage of a swap is chosen; wrapping and unwrapping have none.',
)
const slippageBps = described(
  z.int().min(0).max(10_000).nullish(),
  'Slippage to accept in a swap, in basis points, at most 5000; wrapping and unwrapping have none.',
)
const tokenOutChainId = described(
  z.int().positive().nullish(),
  'Chain on which the output of a swap is wanted; `chainId` when it is left out.',
)

const request = {
  tokenIn: described(
    address.optional(),
    'Contract of the token to give in a swap; the zero address is the native coin. A swap needs it.',
  ),
  tokenOut,
  amountIn: described(
    amount.optional(),
    'What a swap exchanges, in the smallest unit of `tokenIn`; fees come on top. A swap needs it.',
  ),
  slippageMode,
  slippageBps,
  acknowledgedPriceImpact: described(
    z.number().min(0).max(100).nullish(),
    'The price impact that the user has seen and accepts, in percent: above 15 a swap is refused without it.',
  ),
  tokenOutChainId,
  ...recipientMembers,
}
const maxRequest = { tokenOut, slippageMode, slippageBps, tokenOutChainId }

/** A swap as the API has it. */
export const swapShapes: KindShapes<SwapRequest, MaxSwapRequest> = {
  request,
  maxRequest,
  answer: {
    recoveryRecipient: described(
      address.nullish(),
      'Who gets what a failed bridge gives back; null on one chain.',
    ),
    slippageMode,
    slippageBps: described(z.int().nullish(), 'Slippage in force, in basis points; absent for a send.'),
    requestedSlippageBps: described(z.int().nullish(), 'Slippage that was asked for; null when none was.'),
    routing: described(
      described(
        z.enum(SWAP_ROUTINGS),
        'WRAP: native coins become wrapped ones. UNWRAP: the other way round.',
        { id: 'SwapRouting' },
      ).nullish(),
      'How the swap is made; absent for a send.',
    ),
    bridgeProvider: described(z.string().nullish(), 'Bridge that carries the funds; null on one chain.'),
    priceImpact: described(
      z.number().nullish(),
      'By how many percent the swap moves the price; absent for a send.',
    ),
    estimatedFillTimeMs: described(
      z.number().nullish(),
      'How long a bridge takes, in milliseconds; null on one chain.',
    ),
    fillDeadline: described(z.iso.datetime().nullish(), 'When a bridge gives up; null on one chain.'),
    planId: described(z.uuid().nullish(), 'The same through all refreshes of one swap; absent for a send.'),
  },
  readRequest: (body: RequestBody<typeof request>) => ({
    kind: 'swap',
    chainId: body.chainId,
    tokenIn: demandMember('tokenIn', body.tokenIn),
    tokenOut: demandMember('tokenOut', body.tokenOut),
    tokenOutChainId: body.tokenOutChainId ?? undefined,
    amountIn: demandMember('amountIn', body.amountIn),
    requestedSlippageBps: body.slippageMode === 'auto' ? undefined : (body.slippageBps ?? undefined),
    acknowledgedPriceImpact: body.acknowledgedPriceImpact ?? undefined,
    decimals: body.decimals,
    destination: body.destinationAddress,
    acknowledgedMatch: body.acknowledgedAddressPoisoningMatch ?? undefined,
    acknowledgedContract: body.acknowledgedContractRecipient ?? undefined,
    spendableAddresses: body.spendableAddresses,
    singleAddress: body.singleAddress ?? undefined,
    ttl: body.ttl,
  }),
  readMaxRequest: (body: MaxRequestBody<typeof maxRequest>) => ({
    kind: 'swap',
    chainId: body.chainId,
    token: body.token,
    tokenOut: demandMember('tokenOut', body.tokenOut),
    tokenOutChainId: body.tokenOutChainId ?? undefined,
    spendableAddresses: body.spendableAddresses,
  }),
}
