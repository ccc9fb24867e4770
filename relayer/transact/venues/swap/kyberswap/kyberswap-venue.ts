import { BaseError, encodeFunctionData, erc20Abi, keccak256, stringToHex, zeroAddress, type Hex } from 'viem'
import type { KyberswapConfig } from '../../../../chain/nodes/venues-config.ts'
import { serverBusy } from '../../../../errors.ts'
import { swapUnavailable } from '../../../errors.ts'
import type { Call } from '../../../intents/intent.ts'
import type { SwapAsk, SwapPart, SwapVenue, VenueChain } from '../swap-venue.ts'
import { askKyberswapRoute, buildKyberswapRoute, type ProposedRoute } from './ask-kyberswap.ts'
import { guardOutput, isOutputGuard } from './output-guard.ts'

/**
 * An aggregator with KyberSwap's protocol, on chains that configure one. None of its answers is trusted: the router and
 * the spender come from the configuration. A guard on the chain enforces the minimum, and the kind runs the calls
 * before anybody signs them.
 */
export const kyberswapVenue: SwapVenue = {
  name: 'kyberswap',
  async findRoute({ config, client }, ask) {
    const { kyberswap, outputGuard } = config.venues
    if (!kyberswap || !outputGuard || !(await hasGuard(client, outputGuard))) return null
    const proposed = await askKyberswapRoute(kyberswap, ask)
    if (!proposed) return null
    const { tokenIn, tokenOut } = ask
    const spender = kyberswap.spender ?? kyberswap.router
    const buildOf = rememberBuilds(kyberswap, ask, proposed)
    return {
      routing: 'CLASSIC',
      isNativeAtPar: false,
      expected: proposed.amountOut,
      // A spot price is accepted from pools only.
      atSpot: null,
      twapGapBps: null,
      hasSlippage: true,
      callsAreOurs: false,
      tellsRecipient: true,
      gasKey: `KYBERSWAP ${tokenIn} ${tokenOut} ${hashRoute(proposed)}`,
      spender: tokenIn === zeroAddress ? null : spender,
      async calls(part) {
        const data = await buildOf(part)
        const output = { token: tokenOut, account: part.recipient, minimum: part.minimum }
        const [note, demand] = guardOutput(outputGuard, output)
        if (tokenIn === zeroAddress)
          return [note, { to: kyberswap.router, value: part.amountIn, data }, demand]
        const approve = (amount: bigint): Call => ({
          to: tokenIn,
          value: 0n,
          data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
        })
        return [
          ...(part.allowance > 0n ? [approve(0n)] : []),
          approve(part.amountIn),
          note,
          { to: kyberswap.router, value: 0n, data },
          demand,
          approve(0n),
        ]
      },
    }
  },
}

/** @throws ServiceError `unavailable` when the chain does not answer. */
async function hasGuard(client: VenueChain['client'], guard: Call['to']): Promise<boolean> {
  try {
    return await isOutputGuard(client, guard)
  } catch (cause) {
    if (cause instanceof BaseError) throw serverBusy('The chain does not answer. Try again later.', { cause })
    throw cause
  }
}

/**
 * Creates a cache of the router's data for parts of a route. One part always gets the same data, so that the calls of a
 * run are those that are signed.
 */
function rememberBuilds(config: KyberswapConfig, ask: SwapAsk, proposed: ProposedRoute) {
  const builds = new Map<string, Promise<Hex>>()
  const build = async ({ amountIn, recipient, deadline }: SwapPart): Promise<Hex> => {
    const route = amountIn === ask.amountIn ? proposed : await askKyberswapRoute(config, { ...ask, amountIn })
    if (!route) throw swapUnavailable()
    return buildKyberswapRoute(config, route, { recipient, deadline })
  }
  return (part: SwapPart): Promise<Hex> => {
    const key = `${part.recipient} ${part.amountIn}`
    const known = builds.get(key) ?? build(part)
    builds.set(key, known)
    return known
  }
}

/** Hashes the pools that a route goes through. */
function hashRoute({ summary }: ProposedRoute): Hex {
  const { route } = summary as { route?: unknown }
  const pools = JSON.stringify(route ?? null, (key, value: unknown) =>
    key === '' || key === 'pool' || typeof value === 'object' ? value : undefined,
  )
  return keccak256(stringToHex(pools))
}
