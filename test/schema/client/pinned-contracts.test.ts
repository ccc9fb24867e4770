import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { PINNED_CONTRACTS, pinChain } from '../../../schema/client/chain/pinned-contracts.ts'
import { settleSwap } from '../../../schema/client/quotes/settle-swap.ts'

const operator = {
  orchestrator: '0x4000000000000000000000000000000000000004',
  accountProxy: '0x7000000000000000000000000000000000000007',
} as const
const chains = Object.entries(PINNED_CONTRACTS)
const packages = createRequire(import.meta.url)

test('the pinned contracts of the bridge are those that its package publishes', () => {
  const manifest = packages.resolve('@across-protocol/contracts/package.json')
  const file = join(dirname(manifest), 'dist/broadcast/deployed-addresses.json')
  const deployed = JSON.parse(readFileSync(file, 'utf8')) as {
    chains: Record<string, { contracts: Record<string, { address: string }> }>
  }
  const published = chains.map(([id]) => {
    const { SpokePool, MulticallHandler } = deployed.chains[id]?.contracts ?? {}
    return [SpokePool?.address, MulticallHandler?.address]
  })
  expect(chains.map(([, one]) => [one.spokePool, one.multicallHandler])).toEqual(published)
})

test('the pinned tokens are those of the token list, with its decimals', () => {
  // Read, not imported: the compiler would make a type of each of its thousands of tokens.
  const { tokens } = packages('@uniswap/default-token-list') as {
    tokens: { chainId: number; address: string; symbol: string; decimals: number }[]
  }
  for (const [id, { carried, wrapped }] of chains) {
    expect(carried?.['WETH']?.token).toBe(wrapped)
    for (const [symbol, { token, decimals }] of Object.entries(carried ?? {})) {
      const listed = tokens.find((one) => one.chainId === Number(id) && getAddress(one.address) === token)
      expect(listed, `${symbol} on ${id}`).toMatchObject({ symbol, decimals })
    }
  }
})

test('a swap takes its contracts from the record of its chains, and refuses a chain without any', () => {
  const known = [pinChain(1, operator), pinChain(8453, operator), { chainId: 5, ...operator }]
  const chainOf = (chainId: number) => known.find((one) => one.chainId === chainId)!
  const asked = {
    chainId: 1,
    tokenIn: PINNED_CONTRACTS[1]!.carried!['USDC']!.token,
    tokenOut: PINNED_CONTRACTS[8453]!.carried!['USDC']!.token,
    amountIn: 5n,
    leastOutput: 4n,
    maxFee: 1n,
  }
  const { contracts, crossing } = settleSwap({ chainOf }, { ...asked, tokenOutChainId: 8453 })
  expect(contracts).toEqual({ wrapped: known[0]!.wrapped, router: known[0]!.router })
  expect(crossing).toMatchObject({
    chainId: 8453,
    spokePool: known[0]!.spokePool,
    multicallHandler: known[1]!.multicallHandler,
    contracts: { wrapped: known[1]!.wrapped, router: known[1]!.router },
  })
  expect(crossing?.carried).toHaveLength(2)
  expect(settleSwap({ chainOf }, asked).crossing).toBe(undefined)
  expect(() => settleSwap({ chainOf }, { ...asked, chainId: 5 })).toThrow('no contracts for swaps')
  expect(() => settleSwap({ chainOf }, { ...asked, tokenOutChainId: 5 })).toThrow('no contracts for swaps')
  expect(() => pinChain(5, operator)).toThrow('pins no contracts')
})
