// SPDX-License-Identifier: MIT
// The contracts of public chains that are the same for every operator. They come with a release of this package, never
// from the service. Compared by a test with the packages of Across and the token list of Uniswap.
import type { ChainContracts, KnownChain } from './known-chain.ts'

const HANDLER = '0x0F7Ae28dE1C8532170AD4ee566B5801485c13a0E'
const ROUTER = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'

/** By chain id: Ethereum, Optimism, Base and Arbitrum One. */
export const PINNED_CONTRACTS: Readonly<Record<number, ChainContracts>> = {
  1: {
    wrapped: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    router: ROUTER,
    spokePool: '0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5',
    multicallHandler: HANDLER,
    entrypoint: '0x6818809EefCe719E480a7526D76bD3e561526b46',
    carried: {
      WETH: { token: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', decimals: 18 },
      USDC: { token: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 },
    },
  },
  10: {
    wrapped: '0x4200000000000000000000000000000000000006',
    router: ROUTER,
    spokePool: '0x6f26Bf09B1C792e3228e5467807a900A503c0281',
    multicallHandler: HANDLER,
    carried: {
      WETH: { token: '0x4200000000000000000000000000000000000006', decimals: 18 },
      USDC: { token: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', decimals: 6 },
    },
  },
  8453: {
    wrapped: '0x4200000000000000000000000000000000000006',
    router: '0x2626664c2603336E57B271c5C0b26F421741e481',
    spokePool: '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64',
    multicallHandler: HANDLER,
    carried: {
      WETH: { token: '0x4200000000000000000000000000000000000006', decimals: 18 },
      USDC: { token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 },
    },
  },
  42161: {
    wrapped: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
    router: ROUTER,
    spokePool: '0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A',
    multicallHandler: HANDLER,
    carried: {
      WETH: { token: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1', decimals: 18 },
      USDC: { token: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', decimals: 6 },
    },
  },
}

/**
 * The record of a public chain: the pinned contracts, and the operator's own two.
 * @param operator From the operator's signed release, never from the service's API.
 * @throws Error for a chain that this package does not pin.
 */
export function pinChain(
  chainId: number,
  operator: Pick<KnownChain, 'orchestrator' | 'accountProxy'>,
): KnownChain {
  const pinned = PINNED_CONTRACTS[chainId]
  if (!pinned) throw new Error(`this package pins no contracts of chain ${chainId}`)
  return { chainId, ...pinned, ...operator }
}
