import { expect, it } from 'vitest'
import { chainConfig } from '../../../../relayer/chain/nodes/config.ts'
import { describeChains, explorerTxUrlBase } from '../../../../relayer/chain/nodes/supported-chains.ts'
import { configOf } from '../../market/tokens/start-token-world.ts'

const chain = configOf('http://127.0.0.1:1', {
  chainId: 11_155_111,
  name: 'Sepolia',
  isTestnet: true,
  mainnetChainId: 1,
  explorer: 'https://sepolia.etherscan.io/',
  logoBaseName: 'ethereum',
})

it('clients see the configuration of a chain', () => {
  expect(describeChains([chain])).toEqual([
    {
      name: 'Sepolia',
      chainId: 11_155_111,
      isTestnet: true,
      explorerUrl: 'https://sepolia.etherscan.io',
      explorerTxPath: '/tx/',
      mainnetChainId: 1,
      logoBaseName: 'ethereum',
      isSquareLogo: false,
      capabilities: ['receive'],
    },
  ])
})

it('explorer URL and path are joined with one slash', () => {
  expect(explorerTxUrlBase(chain)).toBe('https://sepolia.etherscan.io/tx/')
  expect(
    explorerTxUrlBase({ ...chain, explorer: 'https://x.org/eth', explorerTxPath: '/transaction/' }),
  ).toBe('https://x.org/eth/transaction/')
  expect(explorerTxUrlBase({ explorerTxPath: '/tx/' })).toBeNull()
})

it.each([
  ['explorerTxPath', 'tx/'],
  ['nativeUsd', '3e3'],
  ['nativeUsd', 3_000],
  ['mainnetChainId', 0],
])('the configuration refuses %s of %s', (member, value) => {
  expect(chainConfig.safeParse({ ...chain, [member]: value }).error?.issues[0]?.path).toContain(member)
})
