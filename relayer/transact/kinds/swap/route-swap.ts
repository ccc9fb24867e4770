import { zeroAddress, type Address } from 'viem'
import { hasCode } from '../../../chain/unpaid-gas/has-code.ts'
import { tokenMetadataUnavailable } from '../../../market/errors.ts'
import { tokenIdOf, keyOf, type TokenId } from '../../../market/tokens/token-id.ts'
import { amountTooLow, swapUnavailable } from '../../errors.ts'
import type { Token } from '../../../market/tokens/tokens.ts'
import { readToken } from '../../read-token.ts'
import type { SwapAsk, SwapRoute, VenueChain } from '../../venues/swap/swap-venue.ts'
import { findSwapRoute } from '../../venues/swap/swap-venues.ts'
import type { KindContext, KindParts } from '../quote-kind.ts'
import { sameToken, tokenOutUnknown } from './errors.ts'
import { NO_EXTRA_FEES } from '../../../chain/nodes/sending-price.ts'
import { networkFeeOf } from '../../fees/network-fee.ts'

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
export async function isTooLittle(context: KindContext, chain: VenueChain, ask: SwapAsk): Promise<boolean> {
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

/** The approximate gas of a swap for each pool. */
const HOP = { gas: 100_000n, bytes: 0 }

/** Cap of the result: such a token is worth so little that any number will do; the contract multiplies it. */
const MOST = 2n ** 128n

/**
 * Prices the gas of one more pool at present, in the smallest unit of a token. 0 for a token that is unknown or has no
 * price, and while the gas price is unknown.
 *
 * @param token The known token; null if it is unknown.
 */
async function readHopCost(
  { prices, sendingPriceOf }: KindParts,
  id: TokenId,
  token: Token | null,
): Promise<bigint> {
  const now = sendingPriceOf(id.chainId)
  if (now === null) return 0n
  const { operatorLeast, operatorLarge } = now.extra
  // The costs of a transaction without its gas do not depend on the pools.
  const extra = { ...NO_EXTRA_FEES, operatorLarge: operatorLarge - operatorLeast }
  const rate = { price: { ...now, extra }, marginPercent: 0 }
  if (id.address === zeroAddress) return networkFeeOf(HOP, { ...rate, exchange: null })
  if (!token) return 0n
  const native = { chainId: id.chainId, address: zeroAddress }
  const worth = await prices.read([id, native])
  const [tokenUsd, nativeUsd] = [id, native].map((one) => worth.get(keyOf(one))?.usd)
  if (!tokenUsd || nativeUsd === undefined) return 0n
  const exchange = { nativeUsd, tokenUsd, tokenDecimals: token.decimals }
  const cost = networkFeeOf(HOP, { ...rate, exchange })
  return cost < MOST ? cost : MOST
}
