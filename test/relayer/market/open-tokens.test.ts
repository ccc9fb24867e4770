import { expect, it } from 'vitest'
import { chainConfig } from '../../../relayer/chain/nodes/config.ts'
import { listNamedTokens } from '../../../relayer/market/open-tokens.ts'
import { pricesConfig } from '../../../relayer/market/prices/config.ts'

const addressOf = (digit: number) => `0x${String(digit).repeat(40)}`
const FIXED = addressOf(5)
const POOLED = addressOf(6)

it('tokens of venues, wrapped coins, tokens with a configured price and partners are listed, each on its own chain', () => {
  const chain = chainConfig.parse({
    chainId: 1,
    name: 'One',
    rpcUrls: ['http://127.0.0.1:1'],
    wrappedNative: addressOf(1),
    venues: {
      uniswap: {
        router: addressOf(9),
        quoter: addressOf(9),
        v3Factory: addressOf(9),
        baseTokens: [addressOf(2)],
      },
      across: {
        spokePool: addressOf(9),
        feesUrl: 'http://127.0.0.1:1',
        tokens: [{ asset: 'USD', token: addressOf(3) }],
      },
    },
  })
  const prices = pricesConfig.parse({
    sources: [
      { kind: 'fixed', prices: [{ chainId: 2, address: FIXED, usd: '1' }] },
      {
        kind: 'uniswap-v3',
        pools: [
          {
            chainId: 2,
            token: POOLED,
            decimals: 18,
            pool: addressOf(9),
            quote: addressOf(8),
            quoteDecimals: 6,
            quoteIs: 'usd',
          },
        ],
      },
      { kind: 'coingecko' },
    ],
  })
  const partners = [{ chainId: 3, address: addressOf(7) as `0x${string}` }]
  expect([...listNamedTokens([chain], { prices, catalog: { partners } })].toSorted()).toEqual([
    ...[1, 2, 3].map((digit) => `1:${addressOf(digit)}`),
    `2:${FIXED}`,
    `2:${POOLED}`,
    `3:${addressOf(7)}`,
  ])
})
