import { expect, it } from 'vitest'
import { offerWallet } from '../../../gateway/compose/offer-wallet.ts'
import type { ServiceConfig } from '../../../gateway/config/config.ts'

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
  expect(offerWallet({ chains: [chain], names }, true)).not.toBeNull()
  expect(offerWallet({ chains: [chain], names, wallet: false }, true)).toBeNull()
  expect(offerWallet({ chains: [chain], names }, false)).toBeNull()
  expect(offerWallet({ chains: [chain], names, wallet: true }, false)).not.toBeNull()
})

it('nothing pays users where the service did not start the chains itself', () => {
  expect(offerWallet({ chains: [chain], names, wallet: true }, false)?.pay).toBeNull()
  expect(offerWallet({ chains: [chain], names }, true)?.pay).toBeTypeOf('function')
})

it('the page names the contracts of chains with sending, and no node', () => {
  const settings = offerWallet({ chains: [chain, receiving], names, wallet: true }, false)?.settings
  expect(settings?.chains.map(({ chainId, orchestrator }) => [chainId, orchestrator])).toEqual([
    [1, CONTRACT],
  ])
  expect(JSON.stringify(settings)).not.toContain('127.0.0.1')
})
