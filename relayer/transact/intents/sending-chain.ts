import { refuseSilence } from '../errors.ts'
import { isAddressEqual, zeroHash, type Address, type PublicClient } from 'viem'
import type { Chain, Chains } from '../../chain/nodes/chain.ts'
import type { SendingConfig } from '../../chain/nodes/config.ts'
import { chainNotSupported } from '../../chain/errors.ts'
import { orchestratorAbi } from './intent-abi.ts'

/** A chain that offers sending, with everything that intents on it need. */
export interface SendingChain {
  chainId: number
  chain: Chain
  contracts: SendingConfig
  domain: SigningDomain
  feeReceiver: Address
}

/** The chains on which accounts send. The EIP-712 domain of each Orchestrator is read from its contract once. */
export class SendingChains {
  readonly #chains: Chains
  readonly #feeReceiverOf: (chainId: number) => Address | undefined
  readonly #domains = new Map<number, Promise<SigningDomain>>()

  /** @param feeReceiverOf Returns the address that receives a chain's fees. */
  constructor(chains: Chains, feeReceiverOf: (chainId: number) => Address | undefined) {
    this.#chains = chains
    this.#feeReceiverOf = feeReceiverOf
  }

  /**
   * Finds a chain on which accounts send.
   * @throws ServiceError `bad-request` CHAIN_NOT_SUPPORTED for a chain without sending; `unavailable` when the chain does
   * not answer.
   */
  async open(chainId: number): Promise<SendingChain> {
    const { chain, contracts } = this.#demand(chainId)
    const domain = await this.domainOf(chainId).catch(refuseSilence)
    const feeReceiver = this.#feeReceiverOf(chainId)
    if (!feeReceiver) throw notOffered(chainId)
    return { chainId, chain, contracts, domain, feeReceiver }
  }

  /** @throws ServiceError CHAIN_NOT_SUPPORTED for a chain without sending; the node's error when it does not answer. */
  async domainOf(chainId: number): Promise<SigningDomain> {
    const { chain, contracts } = this.#demand(chainId)
    const cached = this.#domains.get(chainId)
    if (cached) return cached
    const reading = readIntentDomain(chain.client, chainId, contracts.orchestrator)
    this.#domains.set(chainId, reading)
    // Only failures are read again: the contract cannot change its domain.
    reading.catch(() => this.#domains.delete(chainId))
    return reading
  }

  #demand(chainId: number): Pick<SendingChain, 'chain' | 'contracts'> {
    const chain = this.#chains.get(chainId)
    const contracts = chain?.config.sending
    if (!chain || !contracts) throw notOffered(chainId)
    return { chain, contracts }
  }
}

const notOffered = (chainId: number) => chainNotSupported(`Sending is not offered on chain ${chainId}`)

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
