import { listAccountFeatures } from '../../../db/market/tokens/account-tokens.ts'
import { createQuoteSigner, type QuoteSigner } from '../../../proving/signing/quote-signer.ts'
import { openServerKeys } from '../../identity/server-keys.ts'
import type { Vault } from '../../identity/vault.ts'
import type { RelayerChains } from '../../pool/relay/relayer-chain.ts'
import type { QuotesConfig } from './config.ts'
import { createIntentDomains } from '../intents/intent-domains.ts'
import { createQuotes, type OpenQuotes } from './create-quotes.ts'
import { quoteKeys } from './quote-keys.ts'
import type { QuoteParts } from './quote-parts.ts'
import { chainNotSupported } from '../../chain/errors.ts'

/**
 * What quotes are opened with; the signing key comes from the configuration or, by the vault, from the database.
 */
export interface OpenQuotesOptions extends Omit<
  QuoteParts,
  'signer' | 'domains' | 'gasPriceOf' | 'feeReceiverOf' | 'pools'
> {
  vault: Vault
  relayerChains: RelayerChains
}

/**
 * Quotes over the service's parts. Their key is the configured one, else the one that instances share through the database.
 * @throws VaultError when that is under a master key which is not configured.
 */
export async function openQuotes(options: OpenQuotesOptions): Promise<OpenQuotes> {
  const { relayerChains, ...parts } = options
  return createQuotes({
    ...parts,
    signer: await openSigner(options),
    domains: createIntentDomains(parts.chains),
    pools: {
      served: parts.chains,
      chains: relayerChains,
      featuresOf: (accountId) => listAccountFeatures(parts.database, accountId),
    },
    gasPriceOf: (chainId) => relayerChains.get(chainId)?.gasPrices.gasPrice() ?? null,
    feeReceiverOf(chainId) {
      const receiver = parts.config.feeReceivers[chainId] ?? relayerChains.get(chainId)?.feeReceiver
      if (receiver) return receiver
      throw chainNotSupported(`Sending is not offered on chain ${chainId}`)
    },
  })
}

async function openSigner({
  database,
  vault,
  config,
}: Pick<OpenQuotesOptions, 'database' | 'vault'> & { config: QuotesConfig }): Promise<QuoteSigner> {
  if (config.quoteKey) return createQuoteSigner(config.quoteKey)
  const keys = await openServerKeys(quoteKeys, { database, vault, overlapSeconds: 0 })
  return keys.current()
}
