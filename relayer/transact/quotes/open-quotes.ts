import { listAccountFeatures } from '../../../db/market/tokens/account-tokens.ts'
import type { RelayerChains } from '../../pool/relay/relayer-chain.ts'
import { createIntentDomains } from '../intents/intent-domains.ts'
import { createQuotes, type OpenQuotes } from './create-quotes.ts'
import type { QuoteParts } from './quote-parts.ts'
import { chainNotSupported } from '../../chain/errors.ts'

/** Parts of the quotes. */
export interface OpenQuotesOptions extends Omit<
  QuoteParts,
  'domains' | 'sendingPriceOf' | 'feeReceiverOf' | 'pools'
> {
  relayerChains: RelayerChains
}

/** Opens the quotes over the service's parts. */
export function openQuotes(options: OpenQuotesOptions): OpenQuotes {
  const { relayerChains, ...parts } = options
  return createQuotes({
    ...parts,
    domains: createIntentDomains(parts.chains),
    pools: {
      served: parts.chains,
      chains: relayerChains,
      featuresOf: (accountId) => listAccountFeatures(parts.database, accountId),
    },
    sendingPriceOf: (chainId) => relayerChains.get(chainId)?.gasPrices.sendingPrice() ?? null,
    feeReceiverOf(chainId) {
      const receiver = parts.config.feeReceivers[chainId] ?? relayerChains.get(chainId)?.feeReceiver
      if (receiver) return receiver
      throw chainNotSupported(`Sending is not offered on chain ${chainId}`)
    },
  })
}
