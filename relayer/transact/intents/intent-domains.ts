import type { Chains } from '../../chain/nodes/chain.ts'
import { chainNotSupported } from '../../chain/errors.ts'
import { isAddressEqual, zeroHash, type Address, type PublicClient } from 'viem'
import { orchestratorAbi } from './intent-abi.ts'

/** The domains of the chains' Orchestrators, each read once. */
export interface IntentDomains {
  /** @throws ServiceError `bad-request` when the chain offers no sending; the node's error when it does not answer. */
  domainOf(chainId: number): Promise<SigningDomain>
}

/**
 * Creates the EIP-712 domains of the chains' Orchestrators. Each is read from its contract once. `domainOf`
 * throws CHAIN_NOT_SUPPORTED for a chain without sending.
 */
export function createIntentDomains(chains: Chains): IntentDomains {
  const known = new Map<number, Promise<SigningDomain>>()
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

/** EIP-712 domain of one chain's Orchestrator. */
export interface SigningDomain {
  name: string
  version: string
  chainId: number
  verifyingContract: Address
}

/** The fields name, version, chainId and verifyingContract, and no others (ERC-5267). */
const FIELDS = '0x0f'

/**
 * Reads the domain from the deployed contract (ERC-5267), because only the contract knows its version.
 *
 * @throws Error when the contract names another chain or address, or has a domain of another form.
 */
export async function readIntentDomain(
  client: PublicClient,
  chainId: number,
  orchestrator: Address,
): Promise<SigningDomain> {
  const [fields, name, version, domainChainId, verifyingContract, salt, extensions] =
    await client.readContract({
      address: orchestrator,
      abi: orchestratorAbi,
      functionName: 'eip712Domain',
    })
  const isOurs =
    fields === FIELDS &&
    name === 'Orchestrator' &&
    domainChainId === BigInt(chainId) &&
    isAddressEqual(verifyingContract, orchestrator) &&
    salt === zeroHash &&
    extensions.length === 0
  if (!isOurs) throw new Error(`the contract at ${orchestrator} has no domain of an Orchestrator`)
  return { name, version, chainId, verifyingContract }
}
