import type { Chain, RelayingChain } from './chain.ts'
import type { ChainConfig } from './config.ts'
import { hasPools } from './relayer-config.ts'
import { listOffers } from './venues-config.ts'

/** Services on a chain, in the order in which they are shown. */
export const CAPABILITIES = [
  'receive',
  'relay',
  'send',
  'pool_deposit',
  'swap',
  'bridge',
  'cash_out',
  'names',
] as const

/** One service on a chain. */
export type Capability = (typeof CAPABILITIES)[number]

/** Lists the services that a chain's settings permit; every served chain can receive. */
export function listCapabilities({
  relayer,
  sending,
  names,
  wrappedNative,
  venues,
}: ChainConfig): readonly Capability[] {
  const offers = listOffers(venues)
  const sends = sending !== undefined
  const has: Record<Capability, boolean> = {
    receive: true,
    relay: hasPools(relayer),
    send: sends,
    pool_deposit: sends && hasPools(relayer),
    swap: sends && (wrappedNative !== undefined || offers.includes('swap')),
    bridge: sends && offers.includes('bridge'),
    cash_out: sends && offers.includes('cash_out'),
    names: names !== undefined,
  }
  return CAPABILITIES.filter((capability) => has[capability])
}

/** True if a chain has a relayer, and with it signers and a limit of the gas price. */
export function isRelaying<AnyChain extends Chain>(chain: AnyChain): chain is AnyChain & RelayingChain {
  return chain.config.relayer !== undefined
}
