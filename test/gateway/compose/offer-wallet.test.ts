import { zeroAddress, type Address } from 'viem'
import { expect, it } from 'vitest'
import { offerWallet } from '../../../gateway/compose/offer-wallet.ts'
import type { ServiceConfig } from '../../../gateway/config/config.ts'

type RelayerChains = Parameters<typeof offerWallet>[2]
type Chain = ServiceConfig['chains'][number]

const CONTRACT = '0x0B306BF915C4d645ff596e518fAf3F9669b97016'
const names = { parent: 'pay.example.eth' } as ServiceConfig['names']
const rpcUrls = ['http://127.0.0.1:1']
/** The members of chains that the page needs, and one that it must not show. */
const [chain, receiving] = [
  {
    chainId: 1,
    name: 'Ethereum',
    nativeSymbol: 'ETH',
    rpcUrls,
    sending: { orchestrator: CONTRACT, accountProxy: CONTRACT },
  },
  { chainId: 2, name: 'Other', nativeSymbol: 'ETH', rpcUrls },
] as unknown as [Chain, Chain]

it('the wallet is served by a service with a devnet, and by another only if it is asked for', () => {
  expect(offerWallet({ chains: [chain], names }, true, new Map())).not.toBeNull()
  expect(offerWallet({ chains: [chain], names, wallet: false }, true, new Map())).toBeNull()
  expect(offerWallet({ chains: [chain], names }, false, new Map())).toBeNull()
  expect(offerWallet({ chains: [chain], names, wallet: true }, false, new Map())).not.toBeNull()
})

it('nothing pays users where the service did not start the chains itself', () => {
  expect(offerWallet({ chains: [chain], names, wallet: true }, false, new Map())?.pay).toBeNull()
  expect(offerWallet({ chains: [chain], names }, true, new Map())?.pay).toBeTypeOf('function')
})

it('the page names the contracts of chains with sending, and no node', () => {
  const settings = offerWallet(
    { chains: [chain, receiving], names, wallet: true },
    false,
    new Map(),
  )?.settings
  expect(settings?.chains.map(({ chainId, orchestrator }) => [chainId, orchestrator])).toEqual([
    [1, CONTRACT],
  ])
  expect(JSON.stringify(settings)).not.toContain('127.0.0.1')
})

it('the page reads the contracts of pools through the service, and no others', async () => {
  const [entrypoint, pool] = [CONTRACT, '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'] as const
  const asked: string[] = []
  const served = {
    chain: {
      config: { relayer: { entrypoint } },
      contracts: {
        call: async ({ to }: { to: string }) => {
          asked.push(to)
          return { data: '0x01' }
        },
      },
    },
    pools: { pools: () => [{ address: pool }] },
  }
  const chains = new Map([[1, served]]) as unknown as RelayerChains
  const offer = offerWallet({ chains: [chain], names }, true, chains)
  const read = (chainId: number, to: Address) => offer?.read({ chainId, calls: [{ to, data: '0x12345678' }] })
  expect(await read(1, pool)).toEqual(['0x01'])
  expect(await read(1, entrypoint)).toEqual(['0x01'])
  await expect(read(1, zeroAddress)).rejects.toThrow('Only the contracts of pools are read')
  await expect(read(2, pool)).rejects.toThrow('The chain has no pools')
  expect(asked).toEqual([pool, entrypoint])
})
