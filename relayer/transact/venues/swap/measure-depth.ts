import { zeroAddress } from 'viem'
import type { Chains } from '../../../chain/nodes/chain.ts'
import { USD_DECIMALS } from '../../../market/prices/prices.ts'
import { keyOf, type TokenKey } from '../../../market/tokens/token-id.ts'
import { valueInUsd } from '../../../market/prices/usd.ts'
import { SharedPlaces } from '../../../shares/shared-places.ts'
import { serverBusy } from '../../../errors.ts'
import type { Depths } from '../../fees/fee-prices.ts'
import { uniswapVenue } from './uniswap/uniswap-venue.ts'

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
      throw serverBusy('The chain cannot be asked now; try again in a moment', { cause })
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
