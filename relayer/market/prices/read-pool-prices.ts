import { zeroAddress } from 'viem'
import type { Chains } from '../../chain/nodes/chain.ts'
import { keyOf, tokenIdOf } from '../tokens/token-id.ts'
import type { UniswapV3Config } from './config.ts'
import { USD_DECIMALS, type PriceSource } from './prices.ts'
import { readTwap } from './read-twap.ts'

type PoolConfig = UniswapV3Config['pools'][number]

const E18 = 10n ** 18n
const ONE_USD = 10n ** BigInt(USD_DECIMALS)

/** Lists the pools that price the chains' assets in relay fees, for prices in dollars. */
export function listAssetPools(chains: Chains): readonly PoolConfig[] {
  return [...chains.values()].flatMap(({ config: { chainId, relayer } }) =>
    (relayer?.assets ?? []).flatMap(({ asset, decimals, price }): PoolConfig[] => {
      if (price?.kind !== 'uniswap-v3') return []
      const { pool, windowSeconds } = price
      // Read from the token's side only, so the wrapped native coin need not be configured.
      const quote = { quote: zeroAddress, quoteDecimals: 18, quoteIs: 'native' } as const
      return [{ chainId, token: asset, decimals, pool, windowSeconds, ...quote }]
    }),
  )
}

/** Creates prices by time-weighted averages of Uniswap v3 pools, for tokens that no provider prices. */
export function createPoolPrices(chains: Chains, pools: readonly PoolConfig[]): PriceSource {
  return {
    name: 'uniswap-v3',
    async read(tokens, known, tell) {
      const wanted = new Set(tokens.map(keyOf))
      const prices = new Map(known)
      const failures: unknown[] = []
      const readPool = async (pool: PoolConfig) => {
        const id = tokenIdOf(pool.chainId, pool.token)
        const chain = chains.get(pool.chainId)
        const native = prices.get(keyOf({ chainId: pool.chainId, address: zeroAddress }))
        const quote = pool.quoteIs === 'usd' ? { usd: ONE_USD, observedAt: new Date() } : native
        if (!wanted.has(keyOf(id)) || !chain || quote === undefined) return
        try {
          const usd = await readPoolPrice(chain.client, pool, quote.usd)
          if (usd <= 0n) return
          // No newer than the price of the coin in which it is expressed.
          const { observedAt } = quote
          prices.set(keyOf(id), { usd, observedAt })
          await tell([{ id, usd, observedAt }])
        } catch (error) {
          failures.push(error)
        }
      }
      // Pools against the dollar first: they may price the native coin, in which others are expressed.
      for (const quote of ['usd', 'native'])
        await Promise.all(pools.filter(({ quoteIs }) => quoteIs === quote).map(readPool))
      if (failures.length > 0)
        throw new AggregateError(failures, `${failures.length} price pools gave no price`)
    },
  }
}

/**
 * Reads a whole token's worth in units of 10^-30 dollars. It asks how many of the token equal 10^18 units of the
 * quote. That is the larger number of the two, so rounding loses little.
 */
async function readPoolPrice(
  client: Parameters<typeof readTwap>[0],
  { token, decimals, pool, quote, quoteDecimals, windowSeconds }: PoolConfig,
  quoteUsd: bigint,
): Promise<bigint> {
  if (token === zeroAddress) {
    // The wrapped coin is the pool's other token, so the price is read from the quote's side.
    const quotePerCoin = await readTwap(client, quote, pool, windowSeconds)
    return (quotePerCoin * quoteUsd) / 10n ** BigInt(quoteDecimals)
  }
  const tokenPerE18 = await readTwap(client, token, pool, windowSeconds)
  if (tokenPerE18 === 0n) return 0n
  return (quoteUsd * E18 * 10n ** BigInt(decimals)) / (tokenPerE18 * 10n ** BigInt(quoteDecimals))
}
