import type { Address, Hex } from 'viem'
import type { AnswerPart } from '../../packed-text.ts'

/** A request for the descriptor of a call or message. */
export interface DescriptorRequest {
  kind: 'calldata' | 'eip712'
  chainId: number
  /** The called contract, or the one that verifies the message. */
  address: Address
  /** The caller, if known: the admin of a transparent proxy does not reach its implementation. */
  caller?: Address | undefined
  /** First 4 bytes of a call, lower case. */
  selector?: Hex | undefined
  /** A function or a type as text, or the keccak256 of it. */
  formatKey?: string | undefined
}

/** The source of a descriptor. */
export interface DescriptorSource {
  registry: string
  status: 'merged' | 'pull_request' | 'local'
  repository: string | null
  commit: string | null
  path: string
  /** Null for the operator's own. */
  url: string | null
  /** keccak256 of the canonical JSON of the returned descriptor. */
  descriptorHash: Hex
  pullRequest: number | null
}

/** The reason why a descriptor applies to the contract. */
export interface DescriptorBinding {
  /**
   * `deployment`: it names the contract. `proxy`: it names the implementation. `standard`: the contract follows a
   * standard.
   */
  kind: 'deployment' | 'proxy' | 'standard'
  standard: 'erc20' | 'erc721' | 'erc2612' | null
  chainId: number
  /** The contract that the descriptor names: the implementation behind a proxy. */
  address: Address
  evidence: {
    kind:
      | 'registry'
      | 'eip1167'
      | 'eip1967'
      | 'eip1967_beacon'
      | 'token_catalog'
      | 'erc165'
      | 'domain_separator'
    /** The present answer of the token's contract. */
    onchainDecimals: number | null
    /** The lists that have the token. */
    catalogSources: readonly string[]
  }
}

/** A descriptor with its source and the reason why it applies. */
export interface FoundDescriptor {
  /** Canonical JSON. */
  text: string
  /** Returns the same, compressed if that pays. */
  pack(): Promise<AnswerPart>
  source: DescriptorSource
  binding: DescriptorBinding
}

/** The meaning of calls and messages by published descriptors (ERC-7730). Requests name no account. */
export interface ClearSigning {
  /**
   * Finds the descriptor of a contract: one that names it, the contract behind its proxy, or a standard that it
   * provably follows.
   *
   * @throws ServiceError `bad-request` if selector and format disagree or several descriptors match; `not-found`;
   * `bad-gateway` BINDING_UNAVAILABLE while no node answers; `unavailable` SERVER_BUSY.
   */
  lookup(request: DescriptorRequest): Promise<FoundDescriptor>
  /**
   * Returns the functions that active descriptors format, as `transfer(address,uint256)`; each once. The same array
   * until the active descriptors change.
   */
  listFormats(): readonly string[]
}
