import { zeroAddress, type Address } from 'viem'
import { hasCode } from '../../../chain/unpaid-gas/has-code.ts'
import { tokenMetadataUnavailable } from '../../../market/errors.ts'
import { tokenIdOf } from '../../../market/tokens/token-id.ts'
import { amountTooLow, swapUnavailable } from '../../errors.ts'
import type { Token } from '../../../market/tokens/tokens.ts'
import { readToken } from '../../read-token.ts'
import type { SwapAsk, SwapRoute, VenueChain } from '../../venues/swap/swap-venue.ts'
import { findSwapRoute } from '../../venues/swap/swap-venues.ts'
import type { KindContext } from '../quote-kind.ts'
import { sameToken, tokenOutUnknown } from './errors.ts'
import { readHopCost } from './read-hop-cost.ts'

/** Request for an exchange on one chain. */
export interface AskedRoute {
  tokenIn: Address
  tokenOut: Address
  /** Smallest unit of `tokenIn`. */
  amountIn: bigint
}

/** A route with its request. */
export interface Routed {
  ask: SwapAsk
  route: SwapRoute
  /** The output token if it was known before the search; avoids a second look-up. */
  output: Token | null
}

/**
 * Finds the route of a swap on the chain of the context.
 * @throws ServiceError SAME_TOKEN; TOKEN_OUT_UNKNOWN; AMOUNT_TOO_LOW; `bad-gateway` SWAP_UNAVAILABLE if no venue
 * exchanges these tokens; as the venues do.
 */
export async function routeSwap(context: KindContext, asked: AskedRoute): Promise<Routed> {
  const { sending } = context
  const tokenIn = tokenIdOf(sending.chainId, asked.tokenIn).address
  const tokenOut = tokenIdOf(sending.chainId, asked.tokenOut).address
  if (tokenIn === tokenOut) throw sameToken()
  const outputId = tokenIdOf(sending.chainId, asked.tokenOut)
  const output = await context.tokens.find(outputId)
  const hopCost = await readHopCost(context, outputId, output)
  const ask = { tokenIn, tokenOut, amountIn: asked.amountIn, hopCost }
  const route = await findSwapRoute(sending.chain, ask)
  if (route) return { ask, route, output }
  if (!(await isToken(sending.chain, tokenOut))) throw tokenOutUnknown()
  throw (await isTooLittle(context, sending.chain, ask)) ? amountTooLow() : swapUnavailable()
}

/**
 * True if only the small amount prevents a route: one whole token has one.
 * @throws ServiceError as the venues do.
 */
export async function isTooLittle(
  context: Pick<KindContext, 'tokens'>,
  chain: VenueChain,
  ask: SwapAsk,
): Promise<boolean> {
  const token = await readToken(context, tokenIdOf(chain.config.chainId, ask.tokenIn)).catch(
    (error: unknown) => {
      if (tokenMetadataUnavailable.matches(error)) return null
      throw error
    },
  )
  if (!token) return false
  const whole = 10n ** BigInt(token.decimals)
  return ask.amountIn < whole && (await findSwapRoute(chain, { ...ask, amountIn: whole })) !== null
}

/** False only if the chain reports no code at the address. */
const isToken = async ({ client }: VenueChain, address: Address): Promise<boolean> =>
  address === zeroAddress || (await hasCode(client, address).catch(() => true))
