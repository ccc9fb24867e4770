import { listFundingCandidates } from '../../../../db/transact/funding-candidates.ts'
import { zeroAddress, type Address } from 'viem'
import { hasCode } from '../../../chain/unpaid-gas/has-code.ts'
import { tokenIdOf } from '../../../market/tokens/token-id.ts'
import { swapUnavailable } from '../../errors.ts'
import type { SwapAsk, SwapRoute, VenueChain } from '../../venues/swap/swap-venue.ts'
import { findSwapRoute } from '../../venues/swap/swap-venues.ts'
import type { KindContext } from '../quote-kind.ts'
import { sameToken, tokenOutUnknown } from './errors.ts'

/** What is to be exchanged on one chain. */
export interface AskedRoute {
  tokenIn: Address
  tokenOut: Address
  /** Smallest unit of `tokenIn`. */
  amountIn: bigint
}

/** A route with what it was asked for. */
export interface Routed {
  ask: SwapAsk
  route: SwapRoute
}

/**
 * Finds the route of a swap on the chain of the context.
 * @throws ServiceError SAME_TOKEN; TOKEN_OUT_UNKNOWN; `bad-gateway` SWAP_UNAVAILABLE where no venue exchanges these tokens; as the venues do.
 */
export async function routeSwap({ sending }: KindContext, asked: AskedRoute): Promise<Routed> {
  const tokenIn = tokenIdOf(sending.chainId, asked.tokenIn).address
  const tokenOut = tokenIdOf(sending.chainId, asked.tokenOut).address
  if (tokenIn === tokenOut) throw sameToken()
  const ask = { tokenIn, tokenOut, amountIn: asked.amountIn }
  const route = await findSwapRoute(sending.chain, ask)
  if (route) return { ask, route }
  throw (await isToken(sending.chain, tokenOut)) ? swapUnavailable() : tokenOutUnknown()
}

/** False where the chain says that nothing is there. */
const isToken = async ({ client }: VenueChain, address: Address): Promise<boolean> =>
  address === zeroAddress || (await hasCode(client, address).catch(() => true))

/** The most that one of the addresses has of a token and no quote locks: what a swap of all would exchange; at least 1. */
export async function findLargestFree(
  { database, accountId, sending }: KindContext,
  token: Address,
  spendable: readonly Address[] | undefined,
): Promise<bigint> {
  const holders = await listFundingCandidates(database, accountId, { chainId: sending.chainId, token })
  return holders
    .filter(({ address }) => spendable?.includes(address) ?? true)
    .reduce((most, { amount, locked }) => (amount - locked > most ? amount - locked : most), 1n)
}
