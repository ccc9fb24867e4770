import { zeroAddress, type Address } from 'viem'
import { expect, it } from 'vitest'
import { offerWallet } from '../../../gateway/compose/offer-wallet.ts'
import type { ServiceConfig } from '../../../gateway/config/config.ts'

type Opened = Parameters<typeof offerWallet>[2]

const NONE: Opened = { served: new Map(), relayerChains: new Map() }
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
  expect(offerWallet({ chains: [chain], names }, true, NONE)).not.toBeNull()
  expect(offerWallet({ chains: [chain], names, wallet: false }, true, NONE)).toBeNull()
  expect(offerWallet({ chains: [chain], names }, false, NONE)).toBeNull()
  expect(offerWallet({ chains: [chain], names, wallet: true }, false, NONE)).not.toBeNull()
})

it('nothing pays users where the service did not start the chains itself', () => {
  expect(offerWallet({ chains: [chain], names, wallet: true }, false, NONE)?.pay).toBeNull()
  expect(offerWallet({ chains: [chain], names }, true, NONE)?.pay).toBeTypeOf('function')
})

it('the page names the contracts of chains with sending, and no node', async () => {
  const offer = offerWallet({ chains: [chain, receiving], names, wallet: true }, false, NONE)
  const settings = await offer?.readSettings()
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
      config: { relayer: { entrypoint, assets: [{}] } },
      contracts: {
        call: async ({ to }: { to: string }) => {
          asked.push(to)
          return { data: '0x01' }
        },
      },
    },
    pools: { pools: () => [{ address: pool }] },
  }
  const relayerChains = new Map([[1, served]]) as unknown as Opened['relayerChains']
  const offer = offerWallet({ chains: [chain], names }, true, { ...NONE, relayerChains })
  const read = (chainId: number, to: Address) => offer?.read({ chainId, calls: [{ to, data: '0x12345678' }] })
  expect(await read(1, pool)).toEqual(['0x01'])
  expect(await read(1, entrypoint)).toEqual(['0x01'])
  await expect(read(1, zeroAddress)).rejects.toThrow('Only the contracts of pools are read')
  await expect(read(2, pool)).rejects.toThrow('The chain has no pools')
  expect(asked).toEqual([pool, entrypoint])
})

it('the page knows the decimals of the tokens that a bridge carries, where the client package does not', async () => {
  const across = { spokePool: CONTRACT, tokens: [{ asset: 'USDC', token: CONTRACT }] }
  const bridged = (chainId: number) => ({ ...chain, chainId, venues: { across } }) as unknown as Chain
  const asked: number[] = []
  const read = (chainId: number) => ({ contracts: { readContract: async () => (asked.push(chainId), 6) } })
  const served = new Map(
    [1, 31_337].map((chainId) => [chainId, read(chainId)]),
  ) as unknown as Opened['served']
  const offer = offerWallet({ chains: [bridged(1), bridged(31_337)], names }, true, { ...NONE, served })
  const [pinned, local] = (await offer?.readSettings())?.chains ?? []
  expect(pinned?.carried).toBeUndefined()
  expect(local?.carried).toEqual({ USDC: { token: CONTRACT, decimals: 6 } })
  expect(asked).toEqual([31_337])
})

it('the page knows the escrow of a chain, and by which feed it prices each currency', async () => {
  const peer = {
    escrow: CONTRACT,
    gatingService: CONTRACT,
    tokens: [CONTRACT],
    curatorUrl: 'http://127.0.0.1:1',
    rates: [{ currency: 'USD', adapter: CONTRACT, adapterConfig: '0x01', spreadBps: 0 }],
  }
  const selling = { ...chain, venues: { peer } } as unknown as Chain
  const settings = await offerWallet({ chains: [selling], names }, true, NONE)?.readSettings()
  expect(settings?.chains[0]?.cash).toEqual({
    escrow: CONTRACT,
    gatingService: CONTRACT,
    tokens: [CONTRACT],
    feeds: { USD: { feed: CONTRACT, feedConfig: '0x01' } },
  })
})
