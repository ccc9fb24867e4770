import type { Chains } from '../../chain/nodes/chain.ts'
import { readIntentDomain, type IntentDomain } from './read-intent-domain.ts'
import { chainNotSupported } from '../../chain/errors.ts'

/** The domains of the chains' Orchestrators, each read once. */
export interface IntentDomains {
  /** @throws ServiceError `bad-request` when the chain offers no sending; the node's error when it does not answer. */
  domainOf(chainId: number): Promise<IntentDomain>
}

/**
 * Creates the EIP-712 domains of the chains' Orchestrators. Each is read from its contract once. `domainOf`
 * throws CHAIN_NOT_SUPPORTED for a chain without sending.
 */
export function createIntentDomains(chains: Chains): IntentDomains {
  const known = new Map<number, Promise<IntentDomain>>()
  return {
    async domainOf(chainId) {
      const chain = chains.get(chainId)
      const contracts = chain?.config.sending
      if (!chain || !contracts) throw chainNotSupported(`Sending is not offered on chain ${chainId}`)
      const cached = known.get(chainId)
      if (cached) return cached
      const reading = readIntentDomain(chain.client, chainId, contracts.orchestrator)
      known.set(chainId, reading)
      // Only failures are read again: the contract cannot change its domain.
      reading.catch(() => known.delete(chainId))
      return reading
    },
  }
}
