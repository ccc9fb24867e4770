import { isAddressEqual, zeroHash, type Address, type PublicClient } from 'viem'
import { orchestratorAbi } from './intent-abi.ts'

/** EIP-712 domain of one chain's Orchestrator. */
export interface IntentDomain {
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
): Promise<IntentDomain> {
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
