import { refuseSilence } from '../../../errors.ts'
import { isAddressEqual, zeroAddress, hexToBigInt, type Address, parseAbi, type PublicClient } from 'viem'
import type { UniswapConfig } from '../../../../chain/nodes/venues-config.ts'
import type { SwapAsk, SwapRoute, SwapVenue, VenueChain } from '../swap-venue.ts'
import { encodeSwapCalls } from './encode-swap.ts'
import { findBestPath } from './find-best-path.ts'
import type { Hop, PoolHop } from './swap-path.ts'
import type { Chains } from '../../../../chain/nodes/chain.ts'
import { USD_DECIMALS } from '../../../../market/prices/prices.ts'
import { keyOf, type TokenKey } from '../../../../market/tokens/token-id.ts'
import { valueInUsd } from '../../../../market/prices/usd.ts'
import { SharedPlaces } from '../../../../shares/shared-places.ts'
import type { Depths } from '../../../fees/fee-prices.ts'

/** Pools of Uniswap v2 and v3, quoted on the chain and used through SwapRouter02, on chains that configure them. */
export const uniswapVenue: SwapVenue = {
  name: 'uniswap',
  async findRoute(chain, ask) {
    const { uniswap } = chain.config.venues
    return uniswap ? findRouteThrough(uniswap, chain, ask) : null
  },
}

async function findRouteThrough(
  uniswap: UniswapConfig,
  chain: VenueChain,
  ask: SwapAsk,
): Promise<SwapRoute | null> {
  const { tokenIn, tokenOut, amountIn, hopCost = 0n } = ask
  const wrapped = chain.config.wrappedNative
  const spent = tokenIn === zeroAddress ? wrapped : tokenIn
  const wanted = tokenOut === zeroAddress ? wrapped : tokenOut
  if (!spent || !wanted || isAddressEqual(spent, wanted)) return null
  const path = await findBestPath(chain.client, uniswap, {
    tokenIn: spent,
    tokenOut: wanted,
    amountIn,
    hopCost,
    between: wrapped ? [wrapped, ...uniswap.baseTokens] : uniswap.baseTokens,
  })
  if (!path) return null
  const { expected, hops } = path
  const { router } = uniswap
  return {
    routing: 'CLASSIC',
    // Fees are computed by prices, as at the submission.
    isNativeAtPar: false,
    expected,
    atSpot: computeSpotOutput(amountIn, hops),
    twapGapBps: computeTwapGapBps(hops),
    hasSlippage: true,
    gasKey: `CLASSIC ${tokenIn} ${hops.map(nameHop).join(' ')} ${tokenOut}`,
    callsAreOurs: true,
    spender: tokenIn === zeroAddress ? null : router,
    calls: (part) => encodeSwapCalls({ router, tokenIn, tokenOut, hops }, part),
    // If a token keeps a part of each transfer, pairs of v2 count what arrives; pools of v3 do not.
    ...(hops.some(({ version }) => version === 3) && {
      otherwise: () => findRouteThrough({ ...uniswap, feeTiers: [] }, chain, ask),
    }),
  }
}

const nameHop = (hop: Hop) => `${hop.version === 3 ? hop.fee : 'v2'} ${hop.tokenOut}`

const FEE_UNIT = 1_000_000n
const Q192 = 1n << 192n
const ONE_IN_BPS = 10_000

/**
 * Computes the output of an amount at the pools' present prices, after their fees and without price impact. It is the
 * amount times the product of (1 − fee) · price over the hops, rounded down once. Smallest unit; null if a pool has no
 * price.
 */
function computeSpotOutput(amountIn: bigint, hops: readonly Hop[]): bigint | null {
  let [numerator, denominator] = [amountIn, 1n]
  for (const hop of hops) {
    const [gives, takes] = priceOf(hop)
    numerator *= gives
    denominator *= takes
  }
  return denominator === 0n ? null : numerator / denominator
}

/** Returns units of the output token for units of the input token, after the fee. */
function priceOf(hop: Hop): [gives: bigint, takes: bigint] {
  if (hop.version === 2) return [997n * hop.reserveOut, 1_000n * hop.reserveIn]
  const kept = FEE_UNIT - BigInt(hop.fee)
  const square = hop.sqrtPrice * hop.sqrtPrice
  return isZeroForOne(hop) ? [kept * square, FEE_UNIT * Q192] : [kept * Q192, FEE_UNIT * square]
}

/**
 * Computes the gap between a path's present price and its mean of ten minutes, in basis points. Pools without history
 * count as unchanged; null if no pool of the path has history. A tick is the factor 1.0001 (v3 whitepaper, 6.1).
 */
function computeTwapGapBps(hops: readonly Hop[]): number | null {
  const gaps = hops.flatMap((hop) =>
    hop.version === 3 && hop.averageTick !== null
      ? [(hop.tick - hop.averageTick) * (isZeroForOne(hop) ? 1 : -1)]
      : [],
  )
  if (gaps.length === 0) return null
  const ticks = Math.abs(gaps.reduce((sum, gap) => sum + gap, 0))
  return Math.round((1.0001 ** ticks - 1) * ONE_IN_BPS)
}

const order = (token: Address) => hexToBigInt(token)
const isZeroForOne = ({ tokenIn, tokenOut }: PoolHop) => order(tokenIn) < order(tokenOut)

/**
 * Reads the wrapped coin that a router wraps and unwraps. Native coins from a swap into another wrapped coin would stay
 * with the router.
 * @throws viem's errors if the chain does not answer, or if the address does not answer as a router.
 */
export const readRouterWrapped = (client: PublicClient, router: Address): Promise<Address> =>
  client.readContract({
    address: router,
    abi: parseAbi(['function WETH9() view returns (address)']),
    functionName: 'WETH9',
  })

/** Time for which a measurement is used, in milliseconds. */
const MAX_AGE_MS = 60_000
/** Most tokens whose depth is cached. */
const MAX_KNOWN = 2_000
/** Percent of their price that the tokens must bring: less means shallow pools or a wrong price. */
const LEAST_PERCENT = 80n
/** More than the supply of any token. */
const MOST = 2n ** 127n

/**
 * Creates the measurements of depth: the pools' output for tokens worth `minLiquidityUsd`. They query only configured
 * pools. An outside service would learn the sent tokens. With 0 no token is deep.
 */
export function createDepths(chains: Chains, minLiquidityUsd: number): Depths {
  const known = new SharedPlaces<TokenKey, { isDeep: Promise<boolean>; until: number }>(MAX_KNOWN)
  const wantedUsd = BigInt(minLiquidityUsd) * 10n ** BigInt(USD_DECIMALS)

  const measure: Depths['isDeep'] = async (token, { tokenUsd, nativeUsd }) => {
    const chain = chains.get(token.chainId)
    const amountIn = (wantedUsd * 10n ** BigInt(token.decimals)) / tokenUsd
    if (!chain || amountIn === 0n || amountIn > MOST) return false
    const ask = { tokenIn: token.address, tokenOut: zeroAddress, amountIn }
    try {
      const route = await uniswapVenue.findRoute(chain, ask)
      if (!route) return false
      return valueInUsd(route.expected, 18, { usd: nativeUsd }) * 100n >= wantedUsd * LEAST_PERCENT
    } catch (cause) {
      return refuseSilence(cause)
    }
  }

  return {
    async isDeep(token, prices) {
      if (wantedUsd === 0n) return false
      const key = keyOf(token)
      const last = known.get(key)
      if (last && last.until > Date.now()) return last.isDeep
      const isDeep = measure(token, prices)
      known.set(key, { isDeep, until: Date.now() + MAX_AGE_MS })
      // Failed measurements are not cached.
      isDeep.catch(() => known.get(key)?.isDeep === isDeep && known.delete(key))
      return isDeep
    },
  }
}
