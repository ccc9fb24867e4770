import { stringToHex, type Address } from 'viem'
import type { ChainConfig } from '../../../../../relayer/chain/nodes/config.ts'
import type { PeerConfig } from '../../../../../relayer/chain/nodes/venues-config.ts'
import { deriveAccounts } from '../../../../devnet/accounts.ts'
import { addressOf } from '../../../../devnet/deploy/devnet-addresses.ts'

const { deployer, curator } = deriveAccounts()

/** The contracts of cash-outs, the same on every chain of the devnet. */
export const cashContracts = {
  escrow: addressOf('CashEscrow', deployer.address),
  orchestrator: addressOf('CashOrchestrator', deployer.address),
  rates: addressOf('CashRates', deployer.address),
  gatingService: curator.address,
}

/** The bytes that name a currency's feed. */
export const feedOf = (currency: string) => stringToHex(`${currency}/USD`)

/** A method that the settings name and the escrow does not know. */
export const UNKNOWN_METHOD = 'paypal'

/** A chain as the service sees it, with its escrow. */
export function withCash<Config extends ChainConfig>(
  chain: Config,
  { curatorUrl, dollar }: { curatorUrl: string; dollar: Address },
): Config {
  const { escrow, orchestrator, rates, gatingService } = cashContracts
  const peer: PeerConfig = {
    escrow,
    orchestrator,
    curatorUrl,
    timeoutMs: 30_000,
    gatingService,
    tokens: [dollar],
    methods: [
      { name: 'venmo', currencies: ['USD'] },
      { name: 'revolut', currencies: ['USD', 'EUR'] },
      { name: UNKNOWN_METHOD, currencies: ['USD'] },
    ],
    rates: ['USD', 'EUR'].map((currency) => ({
      currency,
      adapter: rates,
      adapterConfig: feedOf(currency),
      spreadBps: 0,
    })),
    maxRateAgeSeconds: 3_600,
    rateToleranceBps: 200,
    minIntentAmount: 1_000_000n,
  }
  return { ...chain, venues: { ...chain.venues, peer } }
}
