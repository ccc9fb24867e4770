import type { Address } from 'viem'
import type { Chain, Chains } from '../../chain/nodes/chain.ts'
import type { SendingConfig } from '../../chain/nodes/config.ts'
import type { IntentDomains, SigningDomain } from './intent-domains.ts'
import { chainNotSupported } from '../../chain/errors.ts'
import { serverBusy } from '../../errors.ts'

/** A chain that offers sending, with everything that intents on it need. */
export interface SendingChain {
  chainId: number
  chain: Chain
  contracts: SendingConfig
  domain: SigningDomain
  feeReceiver: Address
}

/** Parts for finding such a chain. */
export interface SendingChainParts {
  chains: Chains
  domains: IntentDomains
  /** Returns the address that receives a chain's fees. */
  feeReceiverOf(chainId: number): Address
}

/**
 * Finds a chain on which accounts send.
 * @throws ServiceError `bad-request` CHAIN_NOT_SUPPORTED for a chain without sending; `unavailable` when the chain does
 * not answer.
 */
export async function openSendingChain(
  { chains, domains, feeReceiverOf }: SendingChainParts,
  chainId: number,
): Promise<SendingChain> {
  const chain = chains.get(chainId)
  const contracts = chain?.config.sending
  if (!chain || !contracts) throw chainNotSupported(`Sending is not offered on chain ${chainId}`)
  const domain = await domains.domainOf(chainId).catch((cause: unknown) => {
    throw serverBusy('The chain does not answer. Try again later.', { cause })
  })
  return { chainId, chain, contracts, domain, feeReceiver: feeReceiverOf(chainId) }
}
